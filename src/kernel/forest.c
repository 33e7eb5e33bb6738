/* forest.c */
#include "kernel/forest.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/buf.h"

static enum rtb_file_kind kind_of(const char *name)
{
	static const struct {
		const char *ext;
		enum rtb_file_kind kind;
	} kinds[] = {
		{".h", RTB_FILE_HEADER}, {".inc", RTB_FILE_HEADER}, {".c", RTB_FILE_C},
		{".s", RTB_FILE_ASM}, {".asm", RTB_FILE_ASM}, {".a", RTB_FILE_LIB},
	};
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcasecmp(dot, kinds[i].ext) == 0)
			return kinds[i].kind;
	return RTB_FILE_OTHER;
}

bool rtb_glob_any(const char *const *patterns, const char *rel)
{
	for (; patterns && *patterns; patterns++)
		if (fnmatch(*patterns, rel, 0) == 0)
			return true;
	return false;
}

static bool inside(const char *root, const char *path)
{
	size_t n = strlen(root);
	return strncmp(root, path, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static enum rtb_status add_root(struct rtb_forest *f, const char *tree, struct rtb_error *e)
{
	char real[PATH_MAX];
	struct stat st;
	if (!realpath(tree, real) || stat(real, &st) != 0)
		return rtb_fail(e, RTB_NOT_FOUND, "%s: %s", tree, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return rtb_fail(e, RTB_NOT_FOUND, "%s: not a directory", tree);
	for (size_t i = 0; i < f->root_count; i++)
		if (inside(f->roots[i], real) || inside(real, f->roots[i]))
			return rtb_fail(e, RTB_USAGE, "%s and %s: one tree lies inside the other; name the outer one",
					f->roots[i], real);
	f->roots = rtb_realloc(f->roots, (f->root_count + 1) * sizeof *f->roots);
	f->roots[f->root_count++] = rtb_strdup(real);
	return RTB_OK;
}

static void add_file(struct rtb_forest *f, const FTSENT *ent, size_t tree, size_t bytes)
{
	if ((f->file_count & (f->file_count - 1)) == 0)
		f->files = rtb_realloc(f->files, (f->file_count ? 2 * f->file_count : 1) * sizeof *f->files);
	char *path = rtb_strdup(ent->fts_path);
	f->files[f->file_count++] = (struct rtb_tree_file){
		.path = path, .rel = path + strlen(f->roots[tree]) + 1, .tree = tree,
		.kind = kind_of(ent->fts_name), .bytes = bytes,
	};
}

/* A link to a file is one more file; a link to a directory is not followed: inside the trees
 * its files are met anyway, outside it might be the whole disk or lead round in a circle. */
static void add_link(struct rtb_forest *f, const FTSENT *ent, size_t tree)
{
	struct stat st;
	char real[PATH_MAX];
	if (stat(ent->fts_path, &st) != 0)
		return;
	if (S_ISREG(st.st_mode)) {
		add_file(f, ent, tree, (size_t)st.st_size);
		return;
	}
	if (!S_ISDIR(st.st_mode) || !realpath(ent->fts_path, real))
		return;
	for (size_t i = 0; i < f->root_count; i++)
		if (inside(f->roots[i], real))
			return;
	f->outside = rtb_realloc(f->outside, (f->outside_count + 1) * sizeof *f->outside);
	f->outside[f->outside_count++] = rtb_strdup(ent->fts_path);
}

static enum rtb_status walk(struct rtb_forest *f, size_t tree, struct rtb_error *e)
{
	char *const paths[] = {f->roots[tree], NULL};
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!fts)
		return rtb_fail(e, RTB_INTERNAL, "%s: %s", f->roots[tree], strerror(errno));
	enum rtb_status s = RTB_OK;
	FTSENT *ent;
	while (s == RTB_OK && (ent = fts_read(fts)) != NULL) {
		bool hidden = ent->fts_level > 0 && ent->fts_name[0] == '.';
		if (ent->fts_info == FTS_D && hidden)
			fts_set(fts, ent, FTS_SKIP);
		else if (ent->fts_info == FTS_DNR)
			f->unreadable++;
		else if (ent->fts_info == FTS_F && !hidden)
			add_file(f, ent, tree, (size_t)ent->fts_statp->st_size);
		else if (ent->fts_info == FTS_SL && !hidden)
			add_link(f, ent, tree);
		if (f->file_count > RTB_FOREST_MAX)
			s = rtb_fail(e, RTB_CONFIG, "%s: more than %d files; name the kernel's own directory",
				     f->roots[tree], RTB_FOREST_MAX);
	}
	fts_close(fts);
	return s;
}

static int by_place(const void *a, const void *b)
{
	const struct rtb_tree_file *x = a, *y = b;
	if (x->tree != y->tree)
		return x->tree < y->tree ? -1 : 1;
	return strcmp(x->rel, y->rel);
}

enum rtb_status rtb_forest_scan(const char *const *trees, const char *const *use,
				const char *const *skip, struct rtb_forest *out, struct rtb_error *e)
{
	enum rtb_status s = RTB_OK;
	*out = (struct rtb_forest){0};
	for (; s == RTB_OK && *trees; trees++)
		s = add_root(out, *trees, e);
	for (size_t i = 0; s == RTB_OK && i < out->root_count; i++)
		s = walk(out, i, e);
	if (s != RTB_OK)
		return s;
	if (out->file_count)
		qsort(out->files, out->file_count, sizeof *out->files, by_place);
	for (size_t i = 0; i < out->file_count; i++) {
		struct rtb_tree_file *file = &out->files[i];
		file->rank = rtb_rank_path(file->rel);
		file->wanted = rtb_glob_any(use, file->rel);
		file->unwanted = !file->wanted && rtb_glob_any(skip, file->rel);
	}
	return RTB_OK;
}

void rtb_forest_free(struct rtb_forest *f)
{
	for (size_t i = 0; i < f->root_count; i++)
		free(f->roots[i]);
	for (size_t i = 0; i < f->file_count; i++)
		free(f->files[i].path);
	for (size_t i = 0; i < f->outside_count; i++)
		free(f->outside[i]);
	free(f->roots);
	free(f->files);
	free(f->outside);
	*f = (struct rtb_forest){0};
}

const struct rtb_tree_file *rtb_forest_file(const struct rtb_forest *f, const char *path)
{
	for (size_t t = 0; t < f->root_count; t++) {
		if (!inside(f->roots[t], path) || !path[strlen(f->roots[t])])
			continue;
		struct rtb_tree_file key = {.tree = t, .rel = (char *)path + strlen(f->roots[t]) + 1};
		return f->file_count ? bsearch(&key, f->files, f->file_count, sizeof *f->files, by_place) : NULL;
	}
	return NULL;
}

const char *rtb_forest_show(const struct rtb_forest *f, const struct rtb_tree_file *file)
{
	static __thread char out[PATH_MAX];
	if (f->root_count == 1)
		return file->rel;
	const char *slash = strrchr(f->roots[file->tree], '/');
	snprintf(out, sizeof out, "%s/%s", slash ? slash + 1 : "", file->rel);
	return out;
}
