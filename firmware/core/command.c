/* command.c - reads the host's command line. See command.h. */
#include "core/command.h"
#include "core/mem.h"
#include "core/stat.h"

bool command_feed(struct command_line *line, char byte)
{
	if (byte == '\r')
		return false;
	if (byte != '\n') {
		if (line->length < RTB_CMD_MAX)
			line->text[line->length++] = byte ? byte : '?'; /* a NUL must not hide the rest */
		else
			line->overlong = true;
		return false;
	}
	bool complete = line->length > 0;
	line->text[line->overlong ? 0 : line->length] = '\0';
	line->length = 0;
	line->overlong = false;
	return complete;
}

/* Decimal digits up to `end`, at most max. NULL: no number there, or too large. */
static const char *parse_number(const char *text, char end, uint32_t max, uint32_t *value)
{
	uint32_t v = 0;
	const char *p = text;
	for (; *p >= '0' && *p <= '9'; p++) {
		uint32_t digit = (uint32_t)(*p - '0');
		if (v > (max - digit) / 10)
			return NULL;
		v = v * 10 + digit;
	}
	if (p == text || *p != end)
		return NULL;
	*value = v;
	return p + 1;
}

static bool parse_nonce(const char *text, char *nonce)
{
	for (unsigned i = 0; i < 8; i++)
		if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f')))
			return false;
	if (text[8] != ' ')
		return false;
	memcpy(nonce, text, 8);
	return true;
}

static const char *parse_word(const char *text, char *word)
{
	unsigned n = 0;
	while (text[n] > ' ' && text[n] < 0x7f)
		n++;
	if (n == 0 || text[n] != ' ')
		return NULL;
	memcpy(word, text, n);
	word[n] = '\0';
	return text + n + 1;
}

bool command_parse(const char *text, struct rtb_command *cmd)
{
	memset(cmd, 0, sizeof(*cmd));
	memcpy(cmd->nonce, "00000000", 9);
	if (text[0] != 'G' || !parse_nonce(text + 1, cmd->nonce))
		return false;
	const char *p = parse_word(text + 10, cmd->case_name);
	if (p == NULL)
		return false;
	p = parse_number(p, ' ', RTB_SAMPLES_MAX, &cmd->samples);
	if (p == NULL || cmd->samples == 0)
		return false;
	return parse_number(p, '\0', UINT32_MAX, &cmd->raw) != NULL;
}
