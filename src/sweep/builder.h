/* builder.h - builds the images of a plan in a thread of its own, in the order in which they
 * will be wanted, while the boards measure. */
#ifndef RTB_SWEEP_BUILDER_H
#define RTB_SWEEP_BUILDER_H

#include "base/flag.h"
#include "build/firmware.h"
#include "sweep/plan.h"

struct rtb_built {
	enum rtb_status status;
	struct rtb_error error;
	struct rtb_firmware firmware;
};

struct rtb_builder;

struct rtb_builder_spec {
	const struct rtb_project *project;
	const struct rtb_plan *plan;
	const struct rtb_kernel_state *kernel; /* by plan->kernel */
	const struct rtb_toolchain *tools;
	const char *cells_dir;
	const struct rtb_clock *clock;
	const rtb_flag *cancel;
};

/* Everything in spec must outlive the builder. */
struct rtb_builder *rtb_builder_start(const struct rtb_builder_spec *spec);
/* The image of plan->cell[cell]; waits until it is there, or RTB_INTERRUPTED once cancel is
 * set. Borrowed until rtb_builder_end; *waited_ms is how long it took. */
const struct rtb_built *rtb_builder_get(struct rtb_builder *b, size_t cell, unsigned *waited_ms);
/* Stops building, joins the thread, frees all images. NULL is fine. */
void rtb_builder_end(struct rtb_builder *b);

#endif
