/* What a sweep will do: axes, order, exclusions, limits, and the place of every wrong name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sweep/plan.h"

static char *scratch, *home;

static int set_up(void **state)
{
	(void)state;
	const char *src = getenv("RTB_SRCDIR");
	char template[] = "/tmp/rtb-plan-XXXXXX";
	scratch = rtb_strdup(mkdtemp(template));
	home = rtb_strdup(src ? src : ".");
	setenv("RTBENCH_HOME", home, 1); /* the kernels and targets that are committed */
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	char *cmd = rtb_sprintf("rm -rf %s", scratch);
	int rc = system(cmd);
	free(cmd);
	free(scratch);
	free(home);
	return rc;
}

struct planned {
	struct rtb_project project;
	struct rtb_plan plan;
	struct rtb_error error;
	enum rtb_status status;
};

static struct planned *plan(const char *toml)
{
	struct planned *p = rtb_alloc(sizeof *p);
	char *path = rtb_sprintf("%s/rtbench.toml", scratch);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(toml, f);
	fclose(f);
	if (rtb_project_load(path, &p->project, &p->error) != RTB_OK)
		fail_msg("%s", p->error.text);
	p->status = rtb_plan_make(&p->project, &p->plan, &p->error);
	free(path);
	return p;
}

static void done(struct planned *p)
{
	rtb_plan_free(&p->plan);
	rtb_project_free(&p->project);
	free(p);
}

#define AXES "[matrix]\ntarget=[\"virtual-gd32f103\"]\nkernel=[\"bare\",\"mini\"]\nopt=[\"O0\",\"O2\"]\n"

static void every_combination_repeats_a_round_apart(void **state)
{
	(void)state;
	struct planned *p = plan(AXES "instrumented=\"both\"\nrepeat=3\n");
	if (p->status)
		fail_msg("%s", p->error.text);
	assert_int_equal(p->plan.cell_count, 8);
	assert_int_equal(p->plan.step_count, 24);
	for (size_t i = 0; i < 24; i++) {
		assert_int_equal(p->plan.step[i].cell, i % 8);
		assert_int_equal(p->plan.step[i].repeat, i / 8 + 1);
	}
	char *name = rtb_plan_cell_name(&p->plan, &p->plan.cell[5]);
	assert_string_equal(name, "virtual-gd32f103 mini O0 instrumented");
	free(name);
	done(p);
}

static void cases_are_all_or_as_named(void **state)
{
	(void)state;
	size_t all;
	rtb_case_table(&all);
	struct planned *p = plan(AXES);
	assert_int_equal(p->plan.case_count, all);
	assert_null(p->plan.cases[all]);
	done(p);
	p = plan(AXES "case=[\"yield\",\"calibrate\"]\n");
	assert_int_equal(p->plan.case_count, 2);
	assert_string_equal(p->plan.cases[0], "yield");
	done(p);
}

static void exclusions_leave_out_what_matches_all_of_them(void **state)
{
	(void)state;
	struct planned *p = plan(AXES "instrumented=\"both\"\n[[exclude]]\nkernel=\"bare\"\ninstrumented=\"yes\"\n"
				 "[[exclude]]\nopt=\"O2\"\nkernel=\"mini\"\n");
	assert_int_equal(p->status, RTB_OK);
	assert_int_equal(p->plan.cell_count, 4); /* bare O0, bare O2, mini O0 twice */
	for (size_t i = 0; i < 4; i++) {
		const struct rtb_plan_cell *c = &p->plan.cell[i];
		bool bare = strcmp(p->plan.kernel[c->kernel].name, "bare") == 0;
		assert_false(bare && c->instrumented);
		assert_false(!bare && strcmp(c->opt, "O2") == 0);
	}
	done(p);
}

static void wrong_plans_are_named_with_their_place(void **state)
{
	(void)state;
	static const struct { const char *toml; enum rtb_status st; const char *want; } bad[] = {
		{"[matrix]\n", RTB_CONFIG, "rtbench.toml:1:1: the matrix expands to nothing: no target is named"},
		{"[matrix]\ntarget=[\"virtual-gd32f103\"]\n\nkernel=[]\n", RTB_CONFIG,
		 "rtbench.toml:4:1: the matrix expands to nothing: no kernel is named"},
		{"", RTB_USAGE, "no target is named: say --target"},
		{AXES "[[exclude]]\ntarget=\"virtual-gd32f103\"\n", RTB_CONFIG,
		 "rtbench.toml:1:1: the matrix expands to nothing: [[exclude]] leaves out every cell"},
		{AXES "repeat=501\n", RTB_CONFIG,
		 "rtbench.toml:1:1: the matrix expands to 2004 runs (4 cells x 501), more than the limit of 2000"},
		{AXES "limit=3\n", RTB_CONFIG, "the matrix expands to 4 runs (4 cells x 1), more than the limit of 3"},
		{"[matrix]\ntarget=[\"virtual-gd32f103\"]\nkernel=[\"bare\",\n \"nosuch\"]\nopt=[\"O0\"]\n", RTB_CONFIG,
		 "rtbench.toml:4:2: no kernel \"nosuch\""},
		{"[matrix]\ntarget=[\"nosuch\"]\nkernel=[\"bare\"]\nopt=[\"O0\"]\n", RTB_CONFIG,
		 "rtbench.toml:2:9: no target \"nosuch\""},
		{"[matrix]\ntarget=[\"../targets\"]\nkernel=[\"bare\"]\nopt=[\"O0\"]\n", RTB_CONFIG,
		 "rtbench.toml:2:9: no target \"../targets\""},
		{AXES "case=[\"yeild\"]\n", RTB_CONFIG, "rtbench.toml:5:7: no case \"yeild\"; there are: calibrate, yield,"},
		{AXES "case=[\"yield\",\"yield\"]\n", RTB_CONFIG, "rtbench.toml:5:15: case \"yield\" is named twice"},
		{"[matrix]\ntarget=[\"virtual-gd32f103\"]\nkernel=[\"bare\",\"bare\"]\nopt=[\"O0\"]\n", RTB_CONFIG,
		 "rtbench.toml:3:16: kernel \"bare\" is named twice"},
		{AXES "[[exclude]]\nkernel=\"nosuch\"\n", RTB_CONFIG, "rtbench.toml:5:1: no kernel \"nosuch\""},
		{AXES "[[exclude]]\nopt=\"O5\"\n", RTB_CONFIG, "rtbench.toml:5:1: no optimisation level \"O5\""},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct planned *p = plan(bad[i].toml);
		if (p->status != bad[i].st || !strstr(p->error.text, bad[i].want))
			fail_msg("%s\n wanted %s: %s\n got    %s: %s", bad[i].toml, rtb_status_word(bad[i].st), bad[i].want,
				 rtb_status_word(p->status), p->error.text);
		done(p);
	}
}

#define BOARDS "[[board]]\nname=\"a\"\ntarget=\"virtual-gd32f103\"\n" \
	       "[[board]]\nname=\"b\"\ntarget=\"virtual-gd32f103\"\nlink=\"unix:/b\"\nprobe_serial=\"7\"\n"

static void cells_go_round_the_boards_of_their_target(void **state)
{
	(void)state;
	struct planned *p = plan(AXES "instrumented=\"both\"\nrepeat=2\n" BOARDS);
	if (p->status)
		fail_msg("%s", p->error.text);
	const struct rtb_plan *o = &p->plan;
	assert_int_equal(o->board_count, 2);
	for (size_t i = 0; i < o->cell_count; i++)
		assert_int_equal(o->cell[i].board, i % 2);
	/* each with what is its own, the rest from the target */
	assert_string_equal(o->board[0].target.name, "a");
	assert_string_equal(o->board[0].target.link.spec, o->target[0].link.spec);
	assert_string_equal(o->board[1].target.link.spec, "unix:/b");
	assert_string_equal(o->board[1].target.openocd.probe_serial, "7");
	assert_string_equal(o->target[0].name, "virtual-gd32f103");
	/* a shard's cells are spread anew: both boards have work */
	rtb_plan_shard(&p->plan, 1, 2);
	for (size_t i = 0; i < o->cell_count; i++)
		assert_int_equal(o->cell[i].board, i % 2);
	done(p);

	p = plan(AXES "same_board=true\n" BOARDS);
	assert_int_equal(p->status, RTB_OK);
	assert_int_equal(p->plan.board_count, 1);
	assert_string_equal(p->plan.board[0].target.name, "a");
	done(p);

	p = plan(AXES);
	assert_int_equal(p->plan.board_count, 1);
	assert_string_equal(p->plan.board[0].target.name, "virtual-gd32f103");
	done(p);
}

/* targets/a in the project: the committed virtual board with an adapter. */
static void target_with_adapter(void)
{
	char *cmd = rtb_sprintf("mkdir -p %s/targets/a && cd %s/targets/a && printf '%%s\n' 'base = \"gd32f103cbt6\"' "
				"'[link]' 'spec = \"ftdi://LINK\"' '[adapter]' 'kind = \"ftdi\"' 'device = \"FT1/B\"' 'reset = \"3\"' "
				"> target.toml", scratch, scratch);
	assert_int_equal(system(cmd), 0);
	free(cmd);
}

#define ONE_CELL "[matrix]\ntarget=[\"a\"]\nkernel=[\"bare\"]\nopt=[\"O2\"]\n"
#define LEFT "[[board]]\nname=\"left\"\ntarget=\"a\"\nlink=\"ftdi://L\"\n"
#define RIGHT "[[board]]\nname=\"right\"\ntarget=\"a\"\nlink=\"ftdi://R\"\n"

static void each_board_has_its_adapter(void **state)
{
	(void)state;
	target_with_adapter();
	struct planned *p = plan(ONE_CELL LEFT RIGHT "adapter_device=\"FT2/B\"\n");
	if (p->status)
		fail_msg("%s", p->error.text);
	assert_string_equal(p->plan.board[0].target.adapter.device, "FT1/B");
	assert_string_equal(p->plan.board[1].target.adapter.device, "FT2/B");
	struct rtb_target t;
	struct rtb_error e = {0};
	assert_int_equal(rtb_target_choose(&p->project, NULL, "right", &t, &e), RTB_OK);
	assert_string_equal(t.adapter.device, "FT2/B");
	rtb_target_free(&t);
	assert_int_equal(rtb_target_choose(&p->project, "a", NULL, &t, &e), RTB_USAGE);
	assert_non_null(strstr(e.text, "--board names one of left, right"));
	rtb_target_free(&t);
	e = (struct rtb_error){0};
	assert_int_equal(rtb_target_choose(&p->project, NULL, "middle", &t, &e), RTB_NOT_FOUND);
	assert_non_null(strstr(e.text, "there are: left, right"));
	rtb_target_free(&t);
	done(p);
	p = plan(ONE_CELL LEFT "adapter_device=\"FT9\"\n"); /* the only one needs no name */
	assert_int_equal(rtb_target_choose(&p->project, "a", NULL, &t, &e), RTB_OK);
	assert_string_equal(t.name, "left");
	assert_string_equal(t.adapter.device, "FT9");
	rtb_target_free(&t);
	assert_int_equal(rtb_target_choose(&p->project, "gd32f103cbt6", NULL, &t, &e), RTB_OK);
	assert_string_equal(t.name, "gd32f103cbt6");
	rtb_target_free(&t);
	done(p);
}

static void boards_that_cannot_be(void **state)
{
	(void)state;
	target_with_adapter();
	static const char *const bad[][2] = {
		{AXES "[[board]]\nname=\"a\"\ntarget=\"nothing\"\n", ":5:1: board \"a\": no target \"nothing\""},
		{"[matrix]\ntarget=[\"gd32f103cbt6\"]\nkernel=[\"bare\"]\nopt=[\"O2\"]\n"
		 "[[board]]\nname=\"a\"\ntarget=\"gd32f103cbt6\"\n[[board]]\nname=\"b\"\ntarget=\"gd32f103cbt6\"\n",
		 "the boards \"a\" and \"b\" have the same link"},
		{ONE_CELL LEFT RIGHT, "the boards \"left\" and \"right\" have the same adapter, FT1/B"},
		{ONE_CELL LEFT "adapter_device=\"FT1:B\"\n", ":5:1: board \"left\": "},
		{ONE_CELL LEFT "adapter_device=\"L\"\n", "are one channel, and bit-bang stops its UART"},
		{AXES "[[board]]\nname=\"a\"\ntarget=\"virtual-gd32f103\"\nadapter_device=\"FT1\"\n",
		 "rtbench.toml:5:1: board \"a\": adapter_device is set, but [adapter] in "},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct planned *p = plan(bad[i][0]);
		assert_int_equal(p->status, RTB_CONFIG);
		assert_non_null(strstr(p->error.text, bad[i][1]));
		done(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_repeats_a_round_apart),
		cmocka_unit_test(cases_are_all_or_as_named),
		cmocka_unit_test(exclusions_leave_out_what_matches_all_of_them),
		cmocka_unit_test(wrong_plans_are_named_with_their_place),
		cmocka_unit_test(cells_go_round_the_boards_of_their_target),
		cmocka_unit_test(each_board_has_its_adapter),
		cmocka_unit_test(boards_that_cannot_be),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
