#include "link/latency.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

static int timer_ms(const char *path)
{
	struct rtb_buf b = {0};
	int ms = rtb_buf_read_file(&b, path, 64) == 0 && b.len ? atoi(b.data) : -1;
	rtb_buf_free(&b);
	return ms;
}

int rtb_latency_lower(const char *tty_path)
{
	const char *base = strrchr(tty_path, '/');
	char *path = rtb_sprintf("/sys/class/tty/%s/device/latency_timer", base ? base + 1 : tty_path);
	int ms = timer_ms(path);
	if (ms > 1) {
		int fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd >= 0) {
			if (write(fd, "1\n", 2) == 2)
				ms = timer_ms(path);
			close(fd);
		}
		if (ms > 1)
			rtb_log(RTB_LOG_INFO, "link: %s: the FTDI latency timer stays at %d ms; a udev rule "
				"can allow setting it (docs/hardware.md)", tty_path, ms);
	}
	free(path);
	return ms;
}
