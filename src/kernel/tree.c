#include "kernel/tree.h"

#include <dirent.h>
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/process.h"

#define DEPTH_MAX 32 /* a loop of symbolic links ends here */
#define GIT_MS 10000

static bool left_out(const char *name)
{
	size_t n = strlen(name);
	return name[0] == '.' || (n > 2 && strcmp(name + n - 2, ".o") == 0) ||
	       (n > 3 && strcmp(name + n - 3, ".md") == 0);
}

static int wanted(const struct dirent *d)
{
	return !left_out(d->d_name);
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name); /* not alphasort: that depends on the locale */
}

static int add(struct rtb_sha256 *h, const char *path, size_t base_len, int depth)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return errno == ENOENT ? 0 : -1;
	if (S_ISREG(st.st_mode)) {
		const char *rel = strlen(path) > base_len ? path + base_len : path;
		rtb_sha256_str(h, rel[0] == '/' ? rel + 1 : rel);
		char size[32];
		snprintf(size, sizeof size, "%lld", (long long)st.st_size);
		rtb_sha256_str(h, size);
		return rtb_sha256_file(h, path);
	}
	if (!S_ISDIR(st.st_mode) || depth > DEPTH_MAX)
		return 0;
	struct dirent **list = NULL;
	int n = scandir(path, &list, wanted, by_bytes), rc = n < 0 ? -1 : 0;
	for (int i = 0; i < n; i++) {
		char *sub = rtb_sprintf("%s/%s", path, list[i]->d_name);
		if (rc == 0)
			rc = add(h, sub, base_len, depth + 1);
		free(sub);
		free(list[i]);
	}
	free(list);
	return rc;
}

int rtb_tree_add(struct rtb_sha256 *h, const char *base, const char *path)
{
	size_t n = strlen(base);
	return add(h, path, strncmp(base, path, n) == 0 ? n : 0, 0);
}

int rtb_tree_hash(const char *path, char out[RTB_SHA256_HEX])
{
	struct rtb_sha256 h;
	rtb_sha256_init(&h);
	int rc = rtb_tree_add(&h, path, path);
	rtb_sha256_hex(&h, out);
	return rc;
}

/* Output of `git -C path ...`; false when it did not succeed. */
static bool git(const char *path, const char *const *args, const struct rtb_clock *clock, struct rtb_buf *out)
{
	const char *argv[12] = {"git", "-C", path};
	size_t n = 3;
	while (*args && n < 11)
		argv[n++] = *args++;
	static const char *const env[] = {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", NULL};
	struct rtb_process_spec spec = {.argv = argv, .env_extra = env, .timeout_ms = GIT_MS};
	struct rtb_process_result r;
	bool ok = rtb_process_run(&spec, clock, &r, NULL) == RTB_OK && r.exit_code == 0;
	if (ok)
		rtb_buf_add(out, r.output.data, r.output.len);
	rtb_buf_free(&r.output);
	return ok;
}

void rtb_tree_git(const char *path, const struct rtb_clock *clock, struct rtb_tree_git *out)
{
	*out = (struct rtb_tree_git){0};
	struct rtb_buf b = {0};
	static const char *const head[] = {"rev-parse", "--verify", "HEAD", NULL};
	static const char *const status[] = {"status", "--porcelain", "--", ".", NULL};
	if (git(path, head, clock, &b)) {
		size_t n = strcspn(rtb_buf_cstr(&b), "\r\n");
		if (n < sizeof out->commit)
			memcpy(out->commit, b.data, n);
		rtb_buf_clear(&b);
		out->dirty = !git(path, status, clock, &b) || b.len > 0;
	}
	rtb_buf_free(&b);
}
