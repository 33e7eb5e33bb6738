#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

#include "config/toml_shim.h"

extern "C" {
#include "base/buf.h"
}

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

/* rtb_alloc'd, so that C frees what C++ made. Strings may hold NUL (\u0000), which no
 * configuration value can use: such a string is cut there and then fails as unknown. */
char *copy(std::string_view s)
{
	char *p = static_cast<char *>(rtb_alloc(s.size() + 1));
	std::copy(s.begin(), s.end(), p);
	return p;
}

void place(rtb_toml &out, const toml::source_region &where)
{
	out.line = where.begin.line;
	out.column = where.begin.column;
}

void convert(const toml::node &in, rtb_toml &out);

void convert_table(const toml::table &in, rtb_toml &out)
{
	out.kind = RTB_TOML_TABLE;
	out.child = static_cast<rtb_toml *>(rtb_alloc(in.size() * sizeof *out.child));
	for (auto &&[key, value] : in) {
		rtb_toml &c = out.child[out.count++];
		convert(value, c);
		c.key = copy(key.str());
		place(c, key.source());
	}
	/* toml++ keeps tables sorted by key; people read files from the top. */
	std::stable_sort(out.child, out.child + out.count, [](const rtb_toml &a, const rtb_toml &b) {
		return a.line != b.line ? a.line < b.line : a.column < b.column;
	});
}

void convert_array(const toml::array &in, rtb_toml &out)
{
	out.kind = RTB_TOML_ARRAY;
	out.child = static_cast<rtb_toml *>(rtb_alloc(in.size() * sizeof *out.child));
	for (auto &&value : in)
		convert(value, out.child[out.count++]);
}

void convert(const toml::node &in, rtb_toml &out)
{
	place(out, in.source());
	if (auto t = in.as_table())
		convert_table(*t, out);
	else if (auto a = in.as_array())
		convert_array(*a, out);
	else if (auto s = in.as_string())
		out.kind = RTB_TOML_STRING, out.text = copy(s->get());
	else if (auto i = in.as_integer())
		out.kind = RTB_TOML_INT, out.number = i->get();
	else if (auto f = in.as_floating_point())
		out.kind = RTB_TOML_FLOAT, out.real = f->get();
	else if (auto b = in.as_boolean())
		out.kind = RTB_TOML_BOOL, out.flag = b->get();
	else
		out.kind = RTB_TOML_DATE;
}

void free_inside(rtb_toml &t)
{
	for (size_t i = 0; i < t.count; i++)
		free_inside(t.child[i]);
	std::free(t.child);
	std::free(t.key);
	std::free(t.text);
}

} // namespace

extern "C" enum rtb_status rtb_toml_parse(const char *text, size_t n, const char *path,
					  struct rtb_toml **out, struct rtb_error *e)
{
	*out = nullptr;
	toml::parse_result r = toml::parse(std::string_view(text, n), std::string_view(path));
	if (!r) {
		const toml::parse_error &err = r.error();
		std::string why(err.description());
		return rtb_fail(e, RTB_CONFIG, "%s:%u:%u: %s", path, err.source().begin.line,
				err.source().begin.column, why.c_str());
	}
	rtb_toml *root = static_cast<rtb_toml *>(rtb_alloc(sizeof *root));
	convert_table(r.table(), *root);
	root->line = root->column = 1;
	*out = root;
	return RTB_OK;
}

extern "C" void rtb_toml_free(struct rtb_toml *t)
{
	if (!t)
		return;
	free_inside(*t);
	std::free(t);
}

extern "C" const char *rtb_toml_kind_word(enum rtb_toml_kind k)
{
	static const char *const words[] = {"a table", "an array", "a string", "an integer",
					    "a float", "a boolean", "a date or time"};
	return static_cast<unsigned>(k) < sizeof words / sizeof *words ? words[k] : "unknown";
}
