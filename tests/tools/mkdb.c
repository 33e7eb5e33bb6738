/* mkdb DB [KEY=VALUE]... - adds one sweep of made-up runs to a database.
 *
 *   kernel=bare,mini opt=O0,O2 instrumented=no,yes cases=yield,sem_wake   the axes
 *   repeats=N            runs of each cell
 *   add=N                cycles added to every sample
 *   noise=N              cycles by which repeat k differs: 0, N, 2N ... (0: identical repeats)
 *   fail=N               the Nth run of the sweep fails as a hang
 *   find=CHECK:SEVERITY  a finding on every run
 *   version=N            case version     unit=U  unit of every record
 *   fact.NAME=VALUE      a provenance value ("" removes it)
 *   key=KEY              the sweep's uid, for databases that are merged
 *   db.max_pages=N       limits the file's size; a put that does not fit ends the program with 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/sample.h"
#include "store/db.h"

struct spec {
	char *kernels, *opts, *instrumented, *cases, *unit, *find, *key;
	unsigned repeats, fail, version;
	int64_t add, noise, max_pages;
	char *fact[32];
	size_t facts;
};

static void usage(const char *what)
{
	fprintf(stderr, "mkdb: %s\n", what);
	exit(2);
}

static void set(struct spec *s, char *arg)
{
	char *value = strchr(arg, '=');
	if (!value)
		usage(arg);
	*value++ = '\0';
	const struct { const char *key; char **text; } texts[] = {
		{"kernel", &s->kernels}, {"opt", &s->opts}, {"instrumented", &s->instrumented},
		{"cases", &s->cases}, {"unit", &s->unit}, {"find", &s->find}, {"key", &s->key},
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(arg, texts[i].key) == 0) {
			*texts[i].text = value;
			return;
		}
	const struct { const char *key; unsigned *n; } counts[] = {
		{"repeats", &s->repeats}, {"fail", &s->fail}, {"version", &s->version},
	};
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		if (strcmp(arg, counts[i].key) == 0) {
			*counts[i].n = (unsigned)strtoul(value, NULL, 10);
			return;
		}
	if (strcmp(arg, "add") == 0)
		s->add = strtoll(value, NULL, 10);
	else if (strcmp(arg, "noise") == 0)
		s->noise = strtoll(value, NULL, 10);
	else if (strcmp(arg, "db.max_pages") == 0)
		s->max_pages = strtoll(value, NULL, 10);
	else if (strncmp(arg, "fact.", 5) == 0 && s->facts < 32) {
		value[-1] = '=';
		s->fact[s->facts++] = arg + 5;
	} else
		usage(arg);
}

static void drop_fact(struct rtb_run *r, enum rtb_prov_key k)
{
	for (size_t i = 0; i < r->fact_count; i++)
		if (r->facts[i].key == (int)k) {
			free(r->facts[i].value);
			r->facts[i] = r->facts[--r->fact_count];
			return;
		}
}

static void apply_fact(struct rtb_run *r, const char *fact)
{
	char *name = rtb_strdup(fact), *value = strchr(name, '=');
	*value++ = '\0';
	enum rtb_prov_key k = rtb_prov_from_name(name);
	if (k == PROV_COUNT)
		usage(fact);
	if (*value)
		rtb_run_fact(r, k, ORIGIN_READ, value);
	else
		drop_fact(r, k);
	free(name);
}

/* A number from a name, so that cells differ in a way that does not depend on their order. */
static int64_t spread(const char *name)
{
	unsigned h = 0;
	while (*name)
		h = h * 31 + (unsigned char)*name++;
	return h % 97;
}

static void add_records(struct rtb_run *r, const struct spec *s)
{
	char *cases = rtb_strdup(s->cases), *rest = cases, *name;
	while ((name = strsep(&rest, ","))) {
		int64_t base = 300 + spread(name) + spread(r->cell.kernel) + 2 * spread(r->cell.opt) +
			       (r->cell.instrumented ? 60 : 0) + s->add + s->noise * (int64_t)(r->repeat - 1);
		struct rtb_record *d = sample_record(r, name, strcmp(name, "yield") == 0 ? 2 : 1, base);
		d->case_version = s->version;
		if (s->unit) {
			free(d->unit);
			d->unit = rtb_strdup(s->unit);
		}
	}
	free(cases);
}

static struct rtb_run make_run(const struct spec *s, const char *kernel, const char *opt, bool instrumented)
{
	struct rtb_run r = {.attempt = 1, .started_ns = 1700000000000000000u, .ended_ns = 1700000003500000000u,
			    .phases = {100, 900, 30, 400, 5, 2}};
	r.cell = (struct rtb_cell){rtb_strdup("gd32f103cbt6"), rtb_strdup(kernel), rtb_strdup(opt), instrumented};
	sample_facts(&r);
	rtb_run_fact(&r, PROV_KERNEL, ORIGIN_READ, kernel);
	rtb_run_fact(&r, PROV_OPT, ORIGIN_READ, opt);
	rtb_run_fact(&r, PROV_INSTRUMENTED, ORIGIN_READ, instrumented ? "yes" : "no");
	rtb_run_factf(&r, PROV_IMAGE_HASH, ORIGIN_READ, "%s-%s-%d", kernel, opt, instrumented);
	rtb_run_factf(&r, PROV_CC_FLAGS, ORIGIN_READ, "-mcpu=cortex-m3 -%s -Wl,--gc-sections,-Map=x.map", opt);
	rtb_run_factf(&r, PROV_CC_ELF_FLAGS, ORIGIN_READ, "-mcpu=cortex-m3 -%s", opt);
	for (size_t i = 0; i < s->facts; i++)
		apply_fact(&r, s->fact[i]);
	return r;
}

static void put(struct rtb_store *store, const struct spec *s, struct rtb_run *r, unsigned nth)
{
	struct rtb_error e = {0};
	if (nth == s->fail) {
		r->status = RTB_HANG;
		r->error = rtb_strdup("the case began, then 5 s of silence");
	} else {
		add_records(r, s);
		if (s->find) {
			char *check = rtb_strdup(s->find), *severity = strchr(check, ':');
			*severity++ = '\0';
			rtb_run_find(r, check, *severity == 'r' ? VERDICT_REJECTED : VERDICT_SUSPECT, NULL, NULL,
				     "made up");
			free(check);
		}
	}
	if (rtb_store_put_run(store, r, &e) == RTB_OK)
		return;
	fprintf(stderr, "mkdb: %s\n", e.text);
	rtb_store_close(store);
	exit(3);
}

/* The words of a comma-separated list, NULL-terminated; *text owns them. */
static void split(const char *list, char **text, const char *word[64])
{
	size_t n = 0;
	char *rest = *text = rtb_strdup(list);
	while (rest && n < 63)
		word[n++] = strsep(&rest, ",");
	word[n] = NULL;
}

static unsigned cells(struct rtb_store *store, const struct spec *s, int64_t sweep)
{
	unsigned nth = 0;
	char *text[3];
	const char *kernel[64], *opt[64], *instrumented[64];
	split(s->kernels, &text[0], kernel);
	split(s->opts, &text[1], opt);
	split(s->instrumented, &text[2], instrumented);
	for (const char **k = kernel; *k; k++)
		for (const char **o = opt; *o; o++)
			for (const char **i = instrumented; *i; i++)
				for (unsigned n = 1; n <= s->repeats; n++) {
					struct rtb_run r = make_run(s, *k, *o, strcmp(*i, "yes") == 0);
					r.repeat = n;
					r.sweep_id = sweep;
					put(store, s, &r, ++nth);
					rtb_run_free(&r);
				}
	for (int i = 0; i < 3; i++)
		free(text[i]);
	return nth;
}

int main(int argc, char **argv)
{
	struct spec s = {.kernels = (char *)"mini", .opts = (char *)"O2", .instrumented = (char *)"no",
			 .cases = (char *)"yield,sem_wake", .repeats = 1, .version = 1};
	struct rtb_store *store;
	struct rtb_error e = {0};
	if (argc < 2)
		usage("DB [KEY=VALUE]...");
	for (int i = 2; i < argc; i++)
		set(&s, argv[i]);
	struct rtb_store_env env = rtb_store_env_real;
	env.max_pages = s.max_pages;
	if (rtb_store_open_env(argv[1], STORE_WRITE, &env, &store, &e) != RTB_OK)
		usage(e.text);
	struct rtb_sweep w = {.started_ns = 1700000000000000000u, .command = (char *)"rtbench run --matrix",
			      .host = (char *)"bench", .rtbench_version = (char *)RTBENCH_VERSION, .uid = rtb_strdup(s.key)};
	if (rtb_store_begin_sweep(store, &w, &e) != RTB_OK)
		usage(e.text);
	w.planned = cells(store, &s, w.id);
	w.ended_ns = w.started_ns + 60000000000u;
	w.status = s.fail ? RTB_HANG : RTB_OK;
	if (rtb_store_end_sweep(store, &w, &e) != RTB_OK)
		usage(e.text);
	rtb_store_close(store);
	printf("%lld\n", (long long)w.id);
	return 0;
}
