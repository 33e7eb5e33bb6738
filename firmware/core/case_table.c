/* case_table.c - the cases of this image, from cases.def. The references are weak, so that an
 * image may be linked from some of the cases: footprint.elf holds one. */
#include "core/case_table.h"
#include "core/mem.h"

#define X(name, version, unit, divisor, timing, series, needs, title, span) \
	extern const struct rtb_case_impl rtb_case_##name __attribute__((weak));
#include "rtbench/cases.def"
#undef X

const struct rtb_case rtb_cases[RTB_CASE_COUNT] = {
#define X(name_, version_, unit_, divisor_, timing_, series_, needs_, title_, span_) \
	{ .name = #name_, .series = series_, .unit = unit_, .impl = &rtb_case_##name_, \
	  .version = version_, .divisor = divisor_, .needs = needs_ },
#include "rtbench/cases.def"
#undef X
};

const struct rtb_case *case_find(const char *name)
{
	for (unsigned i = 0; i < RTB_CASE_COUNT; i++)
		if (strcmp(rtb_cases[i].name, name) == 0)
			return &rtb_cases[i];
	return NULL;
}

bool case_supported(const struct rtb_case *c)
{
	return c->impl != NULL && RTB_OFFERS(c->needs);
}
