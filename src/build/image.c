#include "build/image.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define MAX_FILE ((size_t)256 << 20)

struct reading {
	Elf *elf;
	const char *data;
	size_t n;
	const char *name;
	struct rtb_image *out;
	struct rtb_error *e;
	size_t id_offset, id_size; /* build-id bytes in the file, for the hash */
};

static enum rtb_status bad(const struct reading *r, const char *what)
{
	return rtb_fail(r->e, RTB_IMAGE, "%s: %s", r->name, what);
}

static bool inside(const struct reading *r, uint64_t offset, uint64_t size)
{
	return offset <= r->n && size <= r->n - offset;
}

static enum rtb_status check_header(struct reading *r)
{
	GElf_Ehdr h;
	if (elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &h))
		return bad(r, "not an ELF file");
	if (h.e_ident[EI_CLASS] != ELFCLASS32 || h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_machine != EM_ARM)
		return bad(r, "not a 32-bit little-endian ARM image");
	if (h.e_type != ET_EXEC)
		return bad(r, "not linked: an executable is wanted");
	r->out->entry = (uint32_t)h.e_entry;
	return RTB_OK;
}

static int by_load(const void *a, const void *b)
{
	const struct rtb_segment *x = a, *y = b;
	return x->load < y->load ? -1 : x->load > y->load;
}

static enum rtb_status read_segments(struct reading *r)
{
	size_t n = 0;
	if (elf_getphdrnum(r->elf, &n) != 0)
		return bad(r, "program headers cannot be read");
	r->out->segment = rtb_alloc(n * sizeof *r->out->segment);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(r->elf, (int)i, &p))
			return bad(r, "program headers cannot be read");
		if (p.p_type != PT_LOAD || p.p_memsz == 0)
			continue;
		if (p.p_filesz > p.p_memsz || !inside(r, p.p_offset, p.p_filesz))
			return bad(r, "a segment reaches beyond the file");
		r->out->segment[r->out->segment_count++] = (struct rtb_segment){
			.load = (uint32_t)p.p_paddr, .run = (uint32_t)p.p_vaddr,
			.file_bytes = (uint32_t)p.p_filesz, .bytes = (uint32_t)p.p_memsz,
			.offset = (size_t)p.p_offset};
		r->out->flash_bytes += (uint32_t)p.p_filesz;
	}
	if (r->out->segment_count)
		qsort(r->out->segment, r->out->segment_count, sizeof *r->out->segment, by_load);
	return r->out->flash_bytes ? RTB_OK : bad(r, "nothing in it is loadable: 0 bytes");
}

/* GNU notes: name size, descriptor size, type, then name and descriptor, each padded to 4. */
static void read_note(struct reading *r, size_t offset, size_t size)
{
	while (size >= 12) {
		uint32_t h[3];
		memcpy(h, r->data + offset, sizeof h);
		uint64_t desc = 12 + (((uint64_t)h[0] + 3) & ~(uint64_t)3);
		uint64_t next = desc + (((uint64_t)h[1] + 3) & ~(uint64_t)3);
		if (desc + h[1] > size)
			return;
		if (h[2] == NT_GNU_BUILD_ID && h[0] == 4 && memcmp(r->data + offset + 12, "GNU", 4) == 0 &&
		    h[1] > 0 && h[1] <= 32) {
			r->id_offset = offset + (size_t)desc;
			r->id_size = h[1];
			for (uint32_t i = 0; i < h[1]; i++)
				snprintf(r->out->build_id + 2 * i, 3, "%02x",
					 (unsigned char)r->data[r->id_offset + i]);
			return;
		}
		if (next >= size)
			return;
		offset += (size_t)next;
		size -= (size_t)next;
	}
}

static bool seen_before(const char *start, const char *p, size_t len)
{
	for (const char *q = start; q < p; q += strlen(q) + 1)
		if (strlen(q) == len && memcmp(q, p, len) == 0)
			return true;
	return false;
}

/* NUL-separated strings, each once, joined. */
static char *join_strings(const char *start, size_t n, const char *separator)
{
	struct rtb_buf b = {0};
	for (const char *p = start; p < start + n;) {
		size_t len = strnlen(p, (size_t)(start + n - p));
		if (len && !seen_before(start, p, len))
			rtb_buf_fmt(&b, "%s%.*s", b.len ? separator : "", (int)len, p);
		p += len + 1;
	}
	return b.data ? b.data : rtb_strdup("");
}

static enum rtb_status read_symbols(struct reading *r, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	if (!d || sh->sh_entsize == 0)
		return RTB_OK;
	size_t n = d->d_size / sh->sh_entsize;
	struct rtb_image *o = r->out;
	o->symbol = rtb_realloc(o->symbol, (o->symbol_count + n) * sizeof *o->symbol);
	for (size_t i = 0; i < n; i++) {
		GElf_Sym s;
		if (!gelf_getsym(d, (int)i, &s))
			break;
		int type = GELF_ST_TYPE(s.st_info);
		const char *name = elf_strptr(r->elf, sh->sh_link, s.st_name);
		if ((type != STT_FUNC && type != STT_OBJECT) || s.st_size == 0 || !name || !*name)
			continue;
		o->symbol[o->symbol_count++] = (struct rtb_symbol){
			.name = rtb_strdup(name), .size = (uint32_t)s.st_size,
			.addr = (uint32_t)s.st_value & (type == STT_FUNC ? ~1u : ~0u), /* Thumb bit */
			.function = type == STT_FUNC};
	}
	return RTB_OK;
}

static void note_section(struct reading *r, const char *name, const GElf_Shdr *sh)
{
	struct rtb_image *o = r->out;
	o->section = rtb_realloc(o->section, (o->section_count + 1) * sizeof *o->section);
	o->section[o->section_count++] = (struct rtb_section_info){
		rtb_strdup(name), (uint32_t)sh->sh_addr, (uint32_t)sh->sh_size, sh->sh_type != SHT_NOBITS};
}

static enum rtb_status read_sections(struct reading *r)
{
	size_t names = 0;
	if (elf_getshdrstrndx(r->elf, &names) != 0)
		return RTB_OK; /* stripped to the bone: segments are enough to run */
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn));) {
		GElf_Shdr sh;
		if (!gelf_getshdr(scn, &sh))
			return bad(r, "section headers cannot be read");
		const char *name = elf_strptr(r->elf, names, sh.sh_name);
		name = name ? name : "";
		bool bytes = sh.sh_type != SHT_NOBITS && inside(r, sh.sh_offset, sh.sh_size);
		if (sh.sh_flags & SHF_ALLOC && sh.sh_size > 0)
			note_section(r, name, &sh);
		if (sh.sh_type == SHT_SYMTAB)
			read_symbols(r, scn, &sh);
		else if (bytes && sh.sh_type == SHT_NOTE)
			read_note(r, (size_t)sh.sh_offset, (size_t)sh.sh_size);
		else if (bytes && !r->out->comment && strcmp(name, ".comment") == 0)
			r->out->comment = join_strings(r->data + sh.sh_offset, (size_t)sh.sh_size, "; ");
		else if (bytes && !r->out->flags && strcmp(name, ".GCC.command.line") == 0)
			r->out->flags = join_strings(r->data + sh.sh_offset, (size_t)sh.sh_size, "\n");
	}
	return RTB_OK;
}

/* A symbol may be listed under several names; the largest come first, then by name. */
static int by_size(const void *a, const void *b)
{
	const struct rtb_symbol *x = a, *y = b;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The build-id is a hash over debug data too; left in, two images of the same bytes would
 * look different. */
static void hash_loadable(struct reading *r)
{
	struct rtb_sha256 h;
	rtb_sha256_init(&h);
	static const char zero[32];
	for (size_t i = 0; i < r->out->segment_count; i++) {
		const struct rtb_segment *s = &r->out->segment[i];
		if (s->file_bytes == 0)
			continue;
		uint32_t where[2] = {s->load, s->file_bytes};
		rtb_sha256_add(&h, where, sizeof where);
		size_t end = s->offset + s->file_bytes, id_end = r->id_offset + r->id_size;
		bool has_id = r->id_size && r->id_offset >= s->offset && id_end <= end;
		rtb_sha256_add(&h, r->data + s->offset, (has_id ? r->id_offset : end) - s->offset);
		if (has_id) {
			rtb_sha256_add(&h, zero, r->id_size);
			rtb_sha256_add(&h, r->data + id_end, end - id_end);
		}
	}
	rtb_sha256_hex(&h, r->out->sha256);
}

enum rtb_status rtb_image_parse(const void *data, size_t n, const char *name, struct rtb_image *out,
				struct rtb_error *e)
{
	*out = (struct rtb_image){0};
	struct reading r = {.data = data, .n = n, .name = name, .out = out, .e = e};
	elf_version(EV_CURRENT);
	/* libelf wants a writable pointer but does not write to what it was given to read. */
	char *copy = rtb_alloc(n);
	memcpy(copy, data, n);
	r.elf = elf_memory(copy, n);
	enum rtb_status st = r.elf ? check_header(&r) : bad(&r, "not an ELF file");
	if (st == RTB_OK)
		st = read_segments(&r);
	if (st == RTB_OK)
		st = read_sections(&r);
	if (st == RTB_OK) {
		if (out->symbol_count)
			qsort(out->symbol, out->symbol_count, sizeof *out->symbol, by_size);
		hash_loadable(&r);
	}
	if (r.elf)
		elf_end(r.elf);
	free(copy);
	if (st)
		rtb_image_free(out);
	return st;
}

enum rtb_status rtb_image_read(const char *path, struct rtb_image *out, struct rtb_error *e)
{
	struct rtb_buf b = {0};
	*out = (struct rtb_image){0};
	enum rtb_status st;
	if (rtb_buf_read_file(&b, path, MAX_FILE) < 0)
		st = rtb_fail(e, RTB_IMAGE, "%s: %s", path, strerror(errno));
	else
		st = rtb_image_parse(rtb_buf_cstr(&b), b.len, path, out, e);
	rtb_buf_free(&b);
	return st;
}

void rtb_image_free(struct rtb_image *i)
{
	for (size_t k = 0; k < i->symbol_count; k++)
		free(i->symbol[k].name);
	for (size_t k = 0; k < i->section_count; k++)
		free(i->section[k].name);
	free(i->symbol);
	free(i->section);
	free(i->segment);
	free(i->comment);
	free(i->flags);
	*i = (struct rtb_image){0};
}
