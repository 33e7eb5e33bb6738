#include "vboard/elf_load.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/buf.h"

#define MAX_FILE  (64u << 20)
#define MAX_LOADS 32

struct load {
	uint32_t addr, size, offset;
	uint8_t *to;
};

struct image {
	const uint8_t *data;
	size_t size;
	const char *name;
	struct rtb_error *e;
	struct load load[MAX_LOADS];
	unsigned loads;
};

static enum rtb_status check_header(const struct image *im, Elf32_Ehdr *h)
{
	if (im->size < sizeof *h)
		return rtb_fail(im->e, RTB_IMAGE, "%s: too short for an ELF file (%zu bytes)",
				im->name, im->size);
	memcpy(h, im->data, sizeof *h);
	if (memcmp(h->e_ident, ELFMAG, SELFMAG))
		return rtb_fail(im->e, RTB_IMAGE, "%s: not an ELF file", im->name);
	if (h->e_ident[EI_CLASS] != ELFCLASS32 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return rtb_fail(im->e, RTB_IMAGE, "%s: not a 32-bit little-endian ELF file", im->name);
	if (h->e_machine != EM_ARM)
		return rtb_fail(im->e, RTB_IMAGE, "%s: for machine %u, not ARM (%u)", im->name,
				h->e_machine, EM_ARM);
	if (h->e_type != ET_EXEC)
		return rtb_fail(im->e, RTB_IMAGE, "%s: not a linked executable (ELF type %u)",
				im->name, h->e_type);
	if (h->e_phnum == 0 || h->e_phentsize != sizeof(Elf32_Phdr))
		return rtb_fail(im->e, RTB_IMAGE, "%s: no usable program headers (%u of %u bytes)",
				im->name, h->e_phnum, h->e_phentsize);
	if (h->e_phoff > im->size || (uint64_t)h->e_phnum * sizeof(Elf32_Phdr) > im->size - h->e_phoff)
		return rtb_fail(im->e, RTB_IMAGE, "%s: program headers lie outside the file", im->name);
	return RTB_OK;
}

static const struct vb_region *find_region(const struct vb_region *r, unsigned n, uint32_t addr,
					   uint32_t size)
{
	for (unsigned i = 0; i < n; i++)
		if (addr >= r[i].base && addr - r[i].base <= r[i].size &&
		    size <= r[i].size - (addr - r[i].base))
			return &r[i];
	return NULL;
}

static enum rtb_status check_overlap(const struct image *im, const Elf32_Phdr *p)
{
	for (unsigned i = 0; i < im->loads; i++) {
		const struct load *l = &im->load[i];
		if (p->p_paddr < l->addr + l->size && l->addr < p->p_paddr + p->p_filesz)
			return rtb_fail(im->e, RTB_IMAGE,
					"%s: two segments overlap at 0x%08x", im->name,
					p->p_paddr > l->addr ? p->p_paddr : l->addr);
	}
	return RTB_OK;
}

static enum rtb_status add_segment(struct image *im, const Elf32_Phdr *p,
				   const struct vb_region *region, unsigned regions)
{
	if (p->p_type != PT_LOAD || p->p_filesz == 0)
		return RTB_OK;
	if (p->p_offset > im->size || p->p_filesz > im->size - p->p_offset)
		return rtb_fail(im->e, RTB_IMAGE, "%s: the segment for 0x%08x reaches past the end of the file",
				im->name, p->p_paddr);
	if (p->p_filesz > p->p_memsz)
		return rtb_fail(im->e, RTB_IMAGE, "%s: the segment for 0x%08x is larger in the file than in memory",
				im->name, p->p_paddr);
	const struct vb_region *r = find_region(region, regions, p->p_paddr, p->p_filesz);
	if (!r)
		return rtb_fail(im->e, RTB_IMAGE,
				"%s: %u bytes for 0x%08x lie in no memory of this chip",
				im->name, p->p_filesz, p->p_paddr);
	if (im->loads == MAX_LOADS)
		return rtb_fail(im->e, RTB_IMAGE, "%s: more than %d segments", im->name, MAX_LOADS);
	enum rtb_status s = check_overlap(im, p);
	if (s != RTB_OK)
		return s;
	im->load[im->loads++] = (struct load){ .addr = p->p_paddr, .size = p->p_filesz,
					       .offset = p->p_offset,
					       .to = r->mem + (p->p_paddr - r->base) };
	return RTB_OK;
}

enum rtb_status vb_elf_load(const uint8_t *data, size_t size, const char *name,
			    const struct vb_region *region, unsigned regions, struct rtb_error *e)
{
	struct image im = { .data = data, .size = size, .name = name, .e = e };
	Elf32_Ehdr h;
	enum rtb_status s = check_header(&im, &h);

	for (unsigned i = 0; s == RTB_OK && i < h.e_phnum; i++) {
		Elf32_Phdr p;
		memcpy(&p, data + h.e_phoff + i * sizeof p, sizeof p);
		s = add_segment(&im, &p, region, regions);
	}
	if (s == RTB_OK && !im.loads)
		s = rtb_fail(e, RTB_IMAGE, "%s: nothing to load", name);
	if (s != RTB_OK)
		return s;
	for (unsigned i = 0; i < im.loads; i++)
		memcpy(im.load[i].to, data + im.load[i].offset, im.load[i].size);
	return RTB_OK;
}

enum rtb_status vb_elf_load_file(const char *path, const struct vb_region *region,
				 unsigned regions, struct rtb_error *e)
{
	struct rtb_buf b = { 0 };
	enum rtb_status s;

	if (rtb_buf_read_file(&b, path, MAX_FILE) != 0)
		s = rtb_fail(e, RTB_NOT_FOUND, "%s: %s", path, strerror(errno));
	else
		s = vb_elf_load((const uint8_t *)rtb_buf_cstr(&b), b.len, path, region, regions, e);
	rtb_buf_free(&b);
	return s;
}
