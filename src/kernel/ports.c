/* ports.c - which port goes with a tree: the one whose headers are all there. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/add.h"

#define SOURCE_MAX ((size_t)1 << 20)

/* Whether our own directories have the header, seen from the port. */
static bool ours(const char *home, const char *target, const char *port, const char *name)
{
	char *places[] = {
		rtb_sprintf("%s/firmware/ports/%s/%s", home, port, name),
		rtb_sprintf("%s/firmware/ports/%s/config/%s", home, port, name),
		rtb_sprintf("%s/firmware/%s", home, name), rtb_sprintf("%s/include/%s", home, name),
		rtb_sprintf("%s/targets/%s/%s", home, target, name),
	};
	bool found = false;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		found |= access(places[i], R_OK) == 0;
		free(places[i]);
	}
	return found;
}

/* Names in #include "..." of one file; <...> is the C library's. */
static void quoted_includes(const char *path, struct rtb_strings *out)
{
	struct rtb_buf text = {0};
	if (rtb_buf_read_file(&text, path, SOURCE_MAX) == 0) {
		for (const char *line = rtb_buf_cstr(&text); *line;) {
			size_t n = strcspn(line, "\n");
			const char *p = line + strspn(line, " \t");
			if (*p == '#') {
				p += 1 + strspn(p + 1, " \t");
				const char *q = strncmp(p, "include", 7) == 0 ? p + 7 + strspn(p + 7, " \t") : "";
				if (*q == '"' && strcspn(q + 1, "\"\n") < n) {
					char *name = rtb_sprintf("%.*s", (int)strcspn(q + 1, "\"\n"), q + 1);
					rtb_strings_add_new(out, name);
					free(name);
				}
			}
			line += n + (line[n] == '\n');
		}
	}
	rtb_buf_free(&text);
}

static void wanted_by(const char *home, const char *target, const char *port, struct rtb_strings *out)
{
	struct rtb_strings all = {0};
	char *impl = rtb_sprintf("%s/firmware/ports/%s/port_impl.h", home, port);
	char *source = rtb_sprintf("%s/firmware/ports/%s/port.c", home, port);
	quoted_includes(impl, &all);
	quoted_includes(source, &all);
	for (size_t i = 0; i < all.n; i++)
		if (!ours(home, target, port, all.v[i]))
			rtb_strings_add(out, all.v[i]);
	rtb_strings_free(&all);
	free(source);
	free(impl);
}

static bool has_eligible(const struct rtb_index *x, const char *name)
{
	const struct rtb_tree_file **files;
	size_t n = rtb_index_named(x, name, &files);
	bool found = false;
	for (size_t i = 0; i < n; i++)
		found |= rtb_file_eligible(files[i]);
	free(files);
	return found;
}

void rtb_ports_matching(const char *home, const char *target, const struct rtb_index *x, struct rtb_strings *out)
{
	char *path = rtb_sprintf("%s/firmware/ports", home);
	DIR *d = opendir(path);
	for (struct dirent *de; d && (de = readdir(d));) {
		if (de->d_name[0] == '.')
			continue;
		struct rtb_strings wanted = {0};
		wanted_by(home, target, de->d_name, &wanted);
		bool all = wanted.n > 0;
		for (size_t i = 0; all && i < wanted.n; i++)
			all = has_eligible(x, wanted.v[i]);
		if (all)
			rtb_strings_add(out, de->d_name);
		rtb_strings_free(&wanted);
	}
	if (d)
		closedir(d);
	free(path);
	rtb_strings_sort(out);
}
