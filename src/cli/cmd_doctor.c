#include "cli/cmd.h"
static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e) { (void)a; (void)e; return RTB_OK; }
const struct rtb_cmd cmd_doctor = {.name = "doctor", .summary = "what is here, what is missing, what to do about it", .operands = "", .help = "", .opts = NULL, .run = run};
