/* checks.h - inside check/: one function for each row of check.def. */
#ifndef RTB_CHECK_CHECKS_H
#define RTB_CHECK_CHECKS_H

#include "check/check.h"

#define RTB_CHECK_PROTO_RUN(name)   void rtb_check_##name(struct rtb_run *r);
#define RTB_CHECK_PROTO_SWEEP(name) void rtb_check_##name(struct rtb_run *const *runs, size_t count);
#define X(name, scope, severity, question, text) RTB_CHECK_PROTO_##scope(name)
#include "check/check.def"
#undef X

/* A fact as a number; false when it is missing or not one. 0x... is understood. */
bool rtb_fact_number(const struct rtb_run *r, enum rtb_prov_key k, double *v);
/* The nth (from 0) word of a fact as a 32-bit register value. */
bool rtb_fact_register(const struct rtb_run *r, enum rtb_prov_key k, unsigned nth, uint32_t *v);
bool rtb_fact_is(const struct rtb_run *r, enum rtb_prov_key k, const char *value);
bool rtb_in_virtual_time(const struct rtb_run *r);

/* Adds a finding about the whole run, or about one record. */
#define FOUND(r, name, severity, ...) rtb_run_find(r, name, severity, NULL, NULL, __VA_ARGS__)
#define FOUND_IN(r, d, name, severity, ...) \
	rtb_run_find(r, name, severity, (d)->case_name, (d)->series, __VA_ARGS__)

#endif
