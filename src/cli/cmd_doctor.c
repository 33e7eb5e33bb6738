#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/doctor.h"

static const char *const mark_word[] = {"ok", "note", "warning", "missing"};

void doctor_add(struct doctor *d, enum doctor_mark mark, enum rtb_status st, const char *group,
		const char *name, const char *advice, const char *detail_fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, detail_fmt);
	vsnprintf(text, sizeof text, detail_fmt, ap);
	va_end(ap);
	d->line = rtb_realloc(d->line, (d->count + 1) * sizeof *d->line);
	d->line[d->count++] = (struct doctor_line){group, rtb_strdup(name), rtb_strdup(text), rtb_strdup(advice), mark};
	if (mark == DOCTOR_BAD && d->worst == RTB_OK)
		d->worst = st;
}

static void print_text(const struct doctor *d, bool color)
{
	static const char *const paint[] = {"\x1b[32m", "\x1b[2m", "\x1b[33m", "\x1b[31m"};
	const char *group = "";
	for (size_t i = 0; i < d->count; i++) {
		const struct doctor_line *l = &d->line[i];
		if (strcmp(l->group, group) != 0)
			printf("%s%s\n", i ? "\n" : "", group = l->group);
		printf("  %s%-8s%s %-20s %s\n", color ? paint[l->mark] : "", mark_word[l->mark],
		       color ? "\x1b[0m" : "", l->name, l->detail);
		if (*l->advice)
			printf("  %-8s %-20s   -> %s\n", "", "", l->advice);
	}
	printf("\n%s\n", d->worst == RTB_OK ? "Ready to run." : "Not ready: see the lines marked missing.");
}

static void print_json(const struct doctor *d)
{
	cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "checks");
	cJSON_AddBoolToObject(root, "ready", d->worst == RTB_OK);
	for (size_t i = 0; i < d->count; i++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(o, "group", d->line[i].group);
		cJSON_AddStringToObject(o, "name", d->line[i].name);
		cJSON_AddStringToObject(o, "state", mark_word[d->line[i].mark]);
		cJSON_AddStringToObject(o, "detail", d->line[i].detail);
		cJSON_AddStringToObject(o, "advice", d->line[i].advice);
		cJSON_AddItemToArray(list, o);
	}
	char *text = cJSON_Print(root);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(root);
}

static enum rtb_status run(const struct rtb_args *a, struct rtb_error *e)
{
	(void)e; /* the lines say it all; the status makes the exit code */
	struct doctor d = {.worst = RTB_OK};
	doctor_tools(&d);
	doctor_libraries(&d);
	doctor_usb(&d);
	doctor_ports(&d);
	doctor_config(&d, a, rtb_arg(a, "target"));
	if (a->json)
		print_json(&d);
	else
		print_text(&d, a->color);
	for (size_t i = 0; i < d.count; i++) {
		free(d.line[i].name);
		free(d.line[i].detail);
		free(d.line[i].advice);
	}
	free(d.line);
	return d.worst;
}

static const struct rtb_opt opts[] = {
	{"target", 't', "T", "look at this target instead of the configuration's", false},
	{0},
};

const struct rtb_cmd cmd_doctor = {
	.name = "doctor",
	.summary = "what is here, what is missing, what to do about it",
	.operands = "",
	.opts = opts,
	.help = "Looks at every tool, library, probe, port and file that a run will need, and opens\n"
		"nothing. Exits 0 when a run can start; otherwise with the code of the first thing\n"
		"missing (3 configuration, 4 tool, 7 link, 9 store).\n\n"
		"Example:\n  rtbench doctor --target gd32f103cbt6\n",
	.run = run,
};
