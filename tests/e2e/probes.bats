#!/usr/bin/env bats
# Debug probes: which one is meant, and that there is a way to each kind. The USB is umockdev's; the
# links are a virtual board's, which only serves to get as far as programming.

bats_require_minimum_version 1.5.0
load run.bash

setup() { setup_project; }

# usb NUMBER VID PID SERIAL PRODUCT: a device, for umockdev-run
usb() {
	printf 'P: /devices/usb1/1-%d\nN: bus/usb/001/%03d\nE: DEVNAME=/dev/bus/usb/001/%03d\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n' $1 $1 $1
	printf 'A: idVendor=%s\\n\nA: idProduct=%s\\n\nA: serial=%s\\n\nA: product=%s\\n\nA: busnum=1\\n\nA: devnum=%d\\n\n\n' \
		"$2" "$3" "$4" "$5" $1
}

# rtbench on a bench with the devices in the file usb
on_bench() { run umockdev-run -d usb -- "$rtbench" run --matrix; echo "$output"; }

# probes PROBE_USB LINES...: a board whose OpenOCD writes down what it is asked and fails
probes() {
	local usb=$1
	shift
	script ocd <<- 'EOF'
		[ "$1" = --version ] && exec openocd --version
		echo "$*" >> "$0.asked"
		exit 7
	EOF
	virtual_board v "" "$PWD/ocd" "$@"
	sed -i "s/^probe_usb.*/probe_usb = \"$usb\"/" targets/v/target.toml
	project 'target = ["v"]' 'kernel = ["bare"]' 'opt = ["O2"]' 'samples = 10' 'case = ["yield"]'
}

error() { query "select status || ': ' || error from v_run order by run desc limit 1"; }

@test "two ST-Links: an error that lists them, unless one is named" {
	{ usb 3 0483 3748 066BFF303435554157121020 STM32; usb 4 0483 3748 53FF6F066748565549871267 STM32; usb 5 046d c31c "" Keyboard; } > usb
	probes any
	on_bench
	[ "$status" -eq 6 ]
	[[ "$output" == *"name one by [openocd] probe_serial or probe_location in target.toml"* ]]
	[ "$(error)" = "several probes: 2 probes match: STM32 0483:3748 at 1-3 serial 066BFF303435554157121020; STM32 0483:3748 at 1-4 serial 53FF6F066748565549871267; choose one by probe_serial" ]
	[ ! -e ocd.asked ]
	# by number: one is left, and OpenOCD is asked for that one
	probes any 'probe_serial = "53FF6F066748565549871267"'
	on_bench
	[ "$status" -eq 6 ]
	[[ "$(error)" == "flash failed: OpenOCD ended with 7 "* ]]
	grep -qF 'adapter serial "53FF6F066748565549871267"' ocd.asked
	[ "$(query "select probe from v_provenance order by run desc limit 1")" = "STM32 0483:3748 at 1-4 serial 53FF6F066748565549871267" ]
	# by place
	probes 0483:3748 'probe_location = "1-3"'
	on_bench
	grep -qF 'adapter usb location "1-3"' ocd.asked
	# one that is not there
	probes any 'probe_serial = "53FF"'
	on_bench
	[ "$status" -eq 6 ]
	[ "$(error)" = "probe absent: no probe any with serial 53FF on the USB" ]
}

@test "two CMSIS-DAPs, of two makes, and two with one serial number" {
	{ usb 3 0d28 0204 0240000 "DAPLink CMSIS-DAP"; usb 4 c251 f001 L85986697A "ARM CMSIS-DAP"; } > usb
	probes any
	on_bench
	[ "$status" -eq 6 ]
	[[ "$(error)" == "several probes: 2 probes match: DAPLink CMSIS-DAP 0d28:0204 at 1-3 serial 0240000; ARM CMSIS-DAP c251:f001 at 1-4 serial L85986697A; "* ]]
	probes c251:f001
	on_bench
	[[ "$(error)" == "flash failed: "* ]]
	{ usb 3 c251 f001 0001 "ARM CMSIS-DAP"; usb 4 c251 f001 0001 "ARM CMSIS-DAP"; } > usb
	probes any 'probe_serial = "0001"'
	on_bench
	[ "$status" -eq 6 ]
	[[ "$(error)" == *"; choose one by probe_location, for their serial numbers do not tell them apart" ]]
}

@test "each board has its own probe" {
	{ usb 3 0483 3748 AAA STM32; usb 4 0483 3748 BBB STM32; } > usb
	probes any
	sed -i 's/^opt.*/opt = ["O1", "O2"]/' rtbench.toml
	printf '[[board]]\nname = "%s"\ntarget = "v"\nprobe_serial = "%s"\n' left AAA right BBB >> rtbench.toml
	on_bench
	[ "$status" -eq 6 ]
	[ "$(grep -cF 'adapter serial "AAA"' ocd.asked)" = 1 ]
	[ "$(grep -cF 'adapter serial "BBB"' ocd.asked)" = 1 ]
}

@test "with no probe plugged in, OpenOCD's own driver of each kind says so" {
	while read -r kind text; do
		virtual_board v "" ""
		sed -i "s|^config = .*|config = [\"$RTB_SRCDIR/targets/gd32f103cbt6/openocd.cfg\"]|; s|^before = .*|before = [\"set RTBENCH_PROBE $kind\"]|" targets/v/target.toml
		project 'target = ["v"]' 'kernel = ["bare"]' 'opt = ["O2"]' 'samples = 10' 'case = ["yield"]'
		run "$rtbench" run --matrix
		echo "$kind: $status: $output"
		[ "$status" -eq 6 ]
		[[ "$(error)" == "probe absent: $text"* ]]
	done <<- EOF
		cmsis-dap no CMSIS-DAP probe found
		stlink no probe could be opened
		jlink no J-Link found
	EOF
}
