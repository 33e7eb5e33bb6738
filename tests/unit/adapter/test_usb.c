/* Listing USB devices from a made-up sysfs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adapter/usb.h"
#include "base/buf.h"

static char root[] = "/tmp/rtb-usb-XXXXXX";

static void put(const char *dev, const char *attr, const char *value)
{
	char *dir = rtb_sprintf("%s/bus/usb/devices/%s", root, dev);
	char *cmd = rtb_sprintf("mkdir -p '%s'", dir);
	assert_int_equal(system(cmd), 0);
	char *path = rtb_sprintf("%s/%s", dir, attr);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", value);
	fclose(f);
	free(path);
	free(cmd);
	free(dir);
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf '%s'", root);
	int rc = system(cmd);
	free(cmd);
	return rc;
}

static void no_usb_is_an_empty_list(void **state)
{
	(void)state;
	struct rtb_usb_device *d;
	assert_int_equal(rtb_usb_list("/nonexistent", &d), 0);
	assert_null(d);
}

static void devices_are_told_apart(void **state)
{
	(void)state;
	put("usb1", "idVendor", "1d6b");
	put("usb1", "idProduct", "0002");
	put("1-2", "idVendor", "0483");
	put("1-2", "idProduct", "3748");
	put("1-2", "serial", "\xd1\x55gJ");
	put("1-2:1.0", "bInterfaceClass", "ff");
	put("1-1.4", "idVendor", "1a86");
	put("1-1.4", "idProduct", "7523");
	put("1-1.4", "busnum", "1");
	put("1-1.4", "devnum", "7");
	/* as the kernel shows the twelve raw bytes of an early ST-Link */
	put("1-5", "idVendor", "0483");
	put("1-5", "idProduct", "3748");
	put("1-5", "serial", "S\xc3\xbfo\x06gHVUI\xc2\x87\x12g");
	put("1-6", "idVendor", "0483"); /* and one that is not of this kind: thirteen */
	put("1-6", "idProduct", "3748");
	put("1-6", "serial", "S\xc3\xbfo\x06gHVUI\xc2\x87\x12gg");
	put("1-3", "idVendor", "c251");
	put("1-3", "idProduct", "f001");
	put("1-3", "product", "Some CMSIS-DAP thing");
	struct rtb_usb_device *d;
	assert_int_equal(rtb_usb_list(root, &d), 5);
	assert_string_equal(d[0].name, "1-1.4");
	assert_int_equal(d[0].role, USB_SERIAL);
	assert_string_equal(d[0].node, "/dev/bus/usb/001/007");
	assert_string_equal(d[0].serial, "");
	assert_int_equal(d[1].role, USB_PROBE);
	assert_string_equal(d[1].serial, "\\xd1UgJ");
	assert_int_equal(d[2].role, USB_PROBE);
	assert_string_equal(d[2].what, "CMSIS-DAP probe");
	assert_string_equal(d[3].serial, "53FF6F066748565549871267");
	assert_string_equal(d[4].serial, "S\\xc3\\xbfo\\x06gHVUI\\xc2\\x87\\x12gg");
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_usb_is_an_empty_list),
		cmocka_unit_test(devices_are_told_apart),
	};
	return cmocka_run_group_tests_name("adapter/usb", tests, setup, teardown);
}
