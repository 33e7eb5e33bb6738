/* crc.c - CRC-32 bit by bit and by table, CRC-16, Adler-32, FNV over the same bytes. */
#include <stdint.h>

static uint8_t text[1024];
static uint32_t table[256];

static uint32_t crc_bits(const uint8_t *p, unsigned n)
{
	uint32_t c = ~0u;
	while (n--) {
		c ^= *p++;
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
	}
	return ~c;
}

static uint32_t crc_table(const uint8_t *p, unsigned n)
{
	uint32_t c = ~0u;
	while (n--)
		c = table[(c ^ *p++) & 0xFF] ^ c >> 8;
	return ~c;
}

static uint16_t crc16(const uint8_t *p, unsigned n)
{
	uint16_t c = 0xFFFF;
	while (n--) {
		c ^= (uint16_t)(*p++ << 8);
		for (int k = 0; k < 8; k++)
			c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
	}
	return c;
}

static uint32_t adler(const uint8_t *p, unsigned n)
{
	uint32_t a = 1, b = 0;
	while (n--) {
		a = (a + *p++) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

int main(void)
{
	uint64_t fnv = 14695981039346656037ull;
	for (unsigned i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
		table[i] = c;
	}
	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * i * 31 + (i >> 3));
	for (unsigned i = 0; i < sizeof(text); i++)
		fnv = (fnv ^ text[i]) * 1099511628211ull;
	return (int)(crc_bits(text, sizeof(text)) + 3 * crc_table(text, 1000) + crc16(text, 777) +
		     adler(text, 1024) + (uint32_t)fnv + (uint32_t)(fnv >> 32));
}
