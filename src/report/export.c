#include "report/export.h"

#include "report/csv.h"
#include "report/json.h"
#include "report/number.h"

#define PIECE (256 * 1024) /* bytes gathered before the sink gets them */

struct writer {
	const struct rtb_export_options *o;
	struct rtb_export_column column[RTB_EXPORT_MAX];
	size_t columns;
	struct rtb_buf head[RTB_EXPORT_MAX]; /* JSON: `, "name": ` of each column */
	struct rtb_buf out;
	rtb_sink *sink;
	void *ctx;
	uint64_t rows;
};

static enum rtb_status drain(struct writer *w, size_t above, struct rtb_error *e)
{
	if (w->out.len <= above)
		return RTB_OK;
	enum rtb_status s = w->sink(w->ctx, &w->out, e);
	rtb_buf_clear(&w->out);
	return s;
}

static void csv_value(struct writer *w, const struct rtb_value *v)
{
	switch (v->type) {
	case VALUE_NULL:
		break;
	case VALUE_INT:
		rtb_num_int(&w->out, v->i);
		break;
	case VALUE_REAL:
		rtb_num_exact(&w->out, v->d);
		break;
	case VALUE_TEXT:
		if (w->o->guard)
			rtb_csv_guarded(&w->out, v->text);
		else
			rtb_csv_field(&w->out, v->text);
		break;
	}
}

static void json_value(struct writer *w, const struct rtb_value *v)
{
	switch (v->type) {
	case VALUE_NULL:
		rtb_buf_str(&w->out, "null");
		break;
	case VALUE_INT:
		rtb_num_int(&w->out, v->i);
		break;
	case VALUE_REAL:
		rtb_num_exact(&w->out, v->d);
		break;
	case VALUE_TEXT:
		rtb_json_string(&w->out, v->text);
		break;
	}
}

static enum rtb_status csv_row(void *ctx, const struct rtb_value *v, struct rtb_error *e)
{
	struct writer *w = ctx;
	for (size_t c = 0; c < w->columns; c++) {
		if (c)
			rtb_buf_add(&w->out, ",", 1);
		csv_value(w, &v[c]);
	}
	rtb_buf_add(&w->out, "\r\n", 2);
	w->rows++;
	return drain(w, PIECE, e);
}

static enum rtb_status json_row(void *ctx, const struct rtb_value *v, struct rtb_error *e)
{
	struct writer *w = ctx;
	rtb_buf_str(&w->out, w->rows ? ",\n  {" : "\n  {");
	for (size_t c = 0; c < w->columns; c++) {
		rtb_buf_add(&w->out, w->head[c].data, w->head[c].len);
		json_value(w, &v[c]);
	}
	rtb_buf_add(&w->out, "}", 1);
	w->rows++;
	return drain(w, PIECE, e);
}

static void begin(struct writer *w)
{
	w->columns = rtb_export_columns(w->column);
	if (w->o->format == EXPORT_CSV && w->o->bom)
		rtb_buf_str(&w->out, RTB_CSV_BOM);
	for (size_t c = 0; c < w->columns; c++) {
		if (w->o->format == EXPORT_CSV) {
			rtb_buf_str(&w->out, c ? "," : "");
			rtb_csv_field(&w->out, w->column[c].name);
		} else {
			rtb_buf_str(&w->head[c], c ? ", " : "");
			rtb_json_string(&w->head[c], w->column[c].name);
			rtb_buf_str(&w->head[c], ": ");
		}
	}
	rtb_buf_str(&w->out, w->o->format == EXPORT_CSV ? "\r\n" : "{\"schema\": \"rtbench-export-1\", \"rows\": [");
}

enum rtb_status rtb_export(struct rtb_store *s, const struct rtb_run_query *q,
			   const struct rtb_export_options *o, rtb_sink *sink, void *ctx,
			   uint64_t *rows, struct rtb_error *e)
{
	struct writer w = {.o = o, .sink = sink, .ctx = ctx};
	begin(&w);
	enum rtb_status status = rtb_store_export(s, q, o->format == EXPORT_CSV ? csv_row : json_row, &w, e);
	if (status == RTB_OK && o->format == EXPORT_JSON)
		rtb_buf_str(&w.out, w.rows ? "\n]}\n" : "]}\n");
	if (status == RTB_OK)
		status = drain(&w, 0, e);
	*rows = w.rows;
	rtb_buf_free(&w.out);
	for (size_t c = 0; c < w.columns; c++)
		rtb_buf_free(&w.head[c]);
	return status;
}
