/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/keymap.h"

#include <string.h>

#include "base/i18n.h"
#include "base/strbuf.h"
#include "ui/input.h"

/* Whoever adds an action has to say which: what is left out does not compile. */
enum effect {
    DECIDES, /* answers, stops, frees or changes what holds, or says what an answer is about */
    LOOKS,
};

struct entry {
    enum keymap_context context;
    enum effect effect;
    const char *name;
    const char *help;
    struct key keys[KEYMAP_KEYS];
};

#define CTRL(letter)                                                                               \
    {                                                                                              \
        letter, INPUT_CTRL                                                                         \
    }
#define ALT(letter)                                                                                \
    {                                                                                              \
        letter, INPUT_ALT                                                                          \
    }
#define KEY(code)                                                                                  \
    {                                                                                              \
        code, 0                                                                                    \
    }
#define F(number) KEY(INPUT_KEY_F1 + (number)-1)

static const struct entry table[ACTION_COUNT] = {
    [ACTION_NONE] = {KEYMAP_CONTEXT_COUNT, LOOKS, "", "", {{0, 0}}},
    [ACTION_HELP] = {KEYMAP_MAIN, LOOKS, "help", N_("show this help (? on an empty line)"), {F(1)}},
    [ACTION_ANSWER] =
        {KEYMAP_MAIN, LOOKS, "answer", N_("answer the waiting request"), {F(2), ALT('r')}},
    [ACTION_DETAILS] = {KEYMAP_MAIN,
                        LOOKS,
                        "details",
                        N_("show everything about the selected call"),
                        {F(3), ALT('v')}},
    [ACTION_STOP_CALL] =
        {KEYMAP_MAIN, DECIDES, "stop", N_("stop the selected call"), {F(4), ALT('x')}},
    [ACTION_INBOX] =
        {KEYMAP_MAIN, LOOKS, "inbox", N_("list all requests that wait"), {F(9), ALT('i')}},
    [ACTION_FREEZE] = {KEYMAP_MAIN,
                       DECIDES,
                       "freeze",
                       N_("freeze all that runs, and let it go on"),
                       {F(7), ALT('p')}},
    [ACTION_STOP_AGENT] = {KEYMAP_MAIN,
                           DECIDES,
                           "stop-agent",
                           N_("stop the agent of the selected call"),
                           {F(8), ALT('k')}},
    [ACTION_ZOOM] = {KEYMAP_MAIN,
                     LOOKS,
                     "zoom",
                     N_("give the selected pane the whole screen, and back"),
                     {F(5), ALT('z')}},
    [ACTION_GRANTS] =
        {KEYMAP_MAIN, LOOKS, "grants", N_("show what holds without a question"), {F(6), ALT('g')}},
    [ACTION_ENTER_PANE] = {KEYMAP_MAIN,
                           LOOKS,
                           "enter-pane",
                           N_("type into the selected pane, or the one that waits"),
                           {F(12), CTRL('\\')}},
    [ACTION_PREVIOUS_CALL] = {KEYMAP_MAIN,
                              LOOKS,
                              "previous",
                              N_("select the call above, an older one"),
                              {KEY(INPUT_KEY_TAB)}},
    [ACTION_NEXT_CALL] = {KEYMAP_MAIN,
                          LOOKS,
                          "next",
                          N_("select the call below, a newer one"),
                          {{INPUT_KEY_TAB, INPUT_SHIFT}}},
    [ACTION_SCROLL_UP] = {KEYMAP_MAIN,
                          LOOKS,
                          "scroll-up",
                          N_("scroll the selected pane back"),
                          {KEY(INPUT_KEY_PAGE_UP)}},
    [ACTION_SCROLL_DOWN] = {KEYMAP_MAIN,
                            LOOKS,
                            "scroll-down",
                            N_("scroll the selected pane forward"),
                            {KEY(INPUT_KEY_PAGE_DOWN)}},
    [ACTION_READ] = {KEYMAP_MAIN,
                     LOOKS,
                     "read",
                     N_("read the selected pane: search, select, copy"),
                     {F(11), ALT('c')}},
    [ACTION_REDRAW] = {KEYMAP_MAIN, LOOKS, "redraw", N_("draw the screen anew"), {CTRL('l')}},
    [ACTION_SUSPEND] = {KEYMAP_MAIN, LOOKS, "suspend", N_("stop the console for now"), {CTRL('z')}},
    [ACTION_QUIT] = {KEYMAP_MAIN, DECIDES, "quit", N_("end the console"), {F(10), CTRL('q')}},
    [ACTION_LEAVE_PANE] = {KEYMAP_PANE,
                           LOOKS,
                           "leave-pane",
                           N_("take the keyboard back from the pane"),
                           {CTRL('\\'), F(12)}},
    [ACTION_APPROVE] = {KEYMAP_APPROVAL, DECIDES, "approve", N_("allow once"), {KEY('y')}},
    [ACTION_APPROVE_SANDBOXED] =
        {KEYMAP_APPROVAL,
         DECIDES,
         "approve-sandboxed",
         N_("allow once, but in the sandbox"),
         {KEY('i')}},
    [ACTION_APPROVE_PATH] = {KEYMAP_APPROVAL,
                             DECIDES,
                             "approve-path",
                             N_("allow once, in the sandbox, with the one path that it needs"),
                             {KEY('w')}},
    [ACTION_PATH_LASTS] =
        {KEYMAP_APPROVAL,
         DECIDES,
         "path-lasts",
         N_("choose whether that path is for once, or for that very command all session"),
         {KEY('W')}},
    [ACTION_APPROVE_SESSION] = {KEYMAP_APPROVAL,
                                DECIDES,
                                "approve-session",
                                N_("allow this for this session"),
                                {KEY('a')}},
    [ACTION_APPROVE_PREFIX] =
        {KEYMAP_APPROVAL, DECIDES, "approve-prefix", N_("allow what this rule says"), {KEY('p')}},
    [ACTION_RULE_NARROWER] = {KEYMAP_APPROVAL,
                              DECIDES,
                              "rule-narrower",
                              N_("make the rule narrower"),
                              {KEY(INPUT_KEY_LEFT)}},
    [ACTION_RULE_WIDER] =
        {KEYMAP_APPROVAL, DECIDES, "rule-wider", N_("make the rule wider"), {KEY(INPUT_KEY_RIGHT)}},
    [ACTION_RULE_SCOPE] = {KEYMAP_APPROVAL,
                           DECIDES,
                           "rule-scope",
                           N_("keep the rule for this session, or for this project"),
                           {KEY(INPUT_KEY_TAB)}},
    [ACTION_LEASE_KIND] = {KEYMAP_APPROVAL,
                           DECIDES,
                           "lease-kind",
                           N_("choose how long \"for this session\" holds"),
                           {KEY('l')}},
    [ACTION_LEASE_BACK] = {KEYMAP_APPROVAL,
                           DECIDES,
                           "lease-back",
                           N_("go back to the length before that one"),
                           {KEY('L')}},
    [ACTION_LEASE_LONGER] = {KEYMAP_APPROVAL,
                             DECIDES,
                             "lease-longer",
                             N_("hold it for longer, or for more runs"),
                             {KEY('+')}},
    [ACTION_LEASE_SHORTER] = {KEYMAP_APPROVAL,
                              DECIDES,
                              "lease-shorter",
                              N_("hold it for a shorter time, or for fewer runs"),
                              {KEY('-')}},
    [ACTION_DENY] =
        {KEYMAP_APPROVAL, DECIDES, "deny", N_("deny just this, for this session"), {KEY('d')}},
    [ACTION_DENY_MESSAGE] =
        {KEYMAP_APPROVAL, DECIDES, "deny-message", N_("deny (session), and say why"), {KEY('n')}},
    [ACTION_ABORT] = {KEYMAP_APPROVAL,
                      DECIDES,
                      "abort",
                      N_("deny, end all open calls of its session"),
                      {KEY('x')}},
    [ACTION_OFFERS] = {KEYMAP_APPROVAL,
                       DECIDES,
                       "agents-answers",
                       N_("pick from choices the agent offers"),
                       {KEY('o')}},
    [ACTION_EDIT] =
        {KEYMAP_APPROVAL, DECIDES, "edit", N_("change the command before you answer"), {KEY('e')}},
    [ACTION_VIEW_ALL] = {KEYMAP_APPROVAL,
                         LOOKS,
                         "view",
                         N_("view everything about the request"),
                         {KEY('v'), CTRL('a')}},
    [ACTION_PUT_ASIDE] = {KEYMAP_APPROVAL,
                          LOOKS,
                          "put-aside",
                          N_("put it aside; it waits (\":\" types a command first)"),
                          {KEY(INPUT_KEY_ESCAPE)}},
    [ACTION_OPTION_UP] =
        {KEYMAP_APPROVAL, LOOKS, "option-up", N_("move to the answer above"), {KEY(INPUT_KEY_UP)}},
    [ACTION_OPTION_DOWN] = {KEYMAP_APPROVAL,
                            LOOKS,
                            "option-down",
                            N_("move to the answer below"),
                            {KEY(INPUT_KEY_DOWN)}},
    [ACTION_OPTION_TAKE] = {KEYMAP_APPROVAL,
                            DECIDES,
                            "option-take",
                            N_("give the marked answer"),
                            {KEY(INPUT_KEY_ENTER)}},
    [ACTION_COMMAND_UP] = {KEYMAP_APPROVAL,
                           LOOKS,
                           "command-up",
                           N_("scroll the command back"),
                           {KEY(INPUT_KEY_PAGE_UP)}},
    [ACTION_COMMAND_DOWN] = {KEYMAP_APPROVAL,
                             LOOKS,
                             "command-down",
                             N_("scroll the command forward"),
                             {KEY(INPUT_KEY_PAGE_DOWN), KEY(' ')}},
    [ACTION_COMMAND_TOP] = {KEYMAP_APPROVAL,
                            LOOKS,
                            "command-top",
                            N_("go to the start of the command"),
                            {KEY(INPUT_KEY_HOME)}},
    [ACTION_COMMAND_END] = {KEYMAP_APPROVAL,
                            LOOKS,
                            "command-end",
                            N_("go to the end of the command"),
                            {KEY(INPUT_KEY_END)}},
    [ACTION_APPROVAL_HELP] =
        {KEYMAP_APPROVAL, LOOKS, "approval-help", N_("show help"), {KEY('?'), F(1)}},
    [ACTION_VIEW_UP] =
        {KEYMAP_VIEW, LOOKS, "view-up", N_("one line back"), {KEY(INPUT_KEY_UP), KEY('k')}},
    [ACTION_VIEW_DOWN] =
        {KEYMAP_VIEW, LOOKS, "view-down", N_("one line forward"), {KEY(INPUT_KEY_DOWN), KEY('j')}},
    [ACTION_VIEW_PAGE_UP] = {KEYMAP_VIEW,
                             LOOKS,
                             "view-page-up",
                             N_("one page back"),
                             {KEY(INPUT_KEY_PAGE_UP), KEY('b')}},
    [ACTION_VIEW_PAGE_DOWN] = {KEYMAP_VIEW,
                               LOOKS,
                               "view-page-down",
                               N_("one page forward"),
                               {KEY(INPUT_KEY_PAGE_DOWN), KEY(' ')}},
    [ACTION_VIEW_TOP] =
        {KEYMAP_VIEW, LOOKS, "view-top", N_("to the start"), {KEY(INPUT_KEY_HOME), KEY('g')}},
    [ACTION_VIEW_END] =
        {KEYMAP_VIEW, LOOKS, "view-end", N_("to the end"), {KEY(INPUT_KEY_END), KEY('G')}},
    [ACTION_VIEW_SEARCH] =
        {KEYMAP_VIEW, LOOKS, "view-search", N_("search, from the first row on"), {KEY('/')}},
    [ACTION_VIEW_NEXT] = {KEYMAP_VIEW, LOOKS, "view-next", N_("the match after"), {KEY('n')}},
    [ACTION_VIEW_PREVIOUS] =
        {KEYMAP_VIEW, LOOKS, "view-previous", N_("the match before"), {KEY('N')}},
    [ACTION_VIEW_CLOSE] =
        {KEYMAP_VIEW, LOOKS, "view-close", N_("close"), {KEY(INPUT_KEY_ESCAPE), KEY('q')}},
    [ACTION_READER_UP] =
        {KEYMAP_READER, LOOKS, "read-up", N_("one line up"), {KEY(INPUT_KEY_UP), KEY('k')}},
    [ACTION_READER_DOWN] =
        {KEYMAP_READER, LOOKS, "read-down", N_("one line down"), {KEY(INPUT_KEY_DOWN), KEY('j')}},
    [ACTION_READER_LEFT] = {KEYMAP_READER,
                            LOOKS,
                            "read-left",
                            N_("one character to the left"),
                            {KEY(INPUT_KEY_LEFT), KEY('h')}},
    [ACTION_READER_RIGHT] = {KEYMAP_READER,
                             LOOKS,
                             "read-right",
                             N_("one character to the right"),
                             {KEY(INPUT_KEY_RIGHT), KEY('l')}},
    [ACTION_READER_PAGE_UP] = {KEYMAP_READER,
                               LOOKS,
                               "read-page-up",
                               N_("one page back"),
                               {KEY(INPUT_KEY_PAGE_UP), CTRL('b')}},
    [ACTION_READER_PAGE_DOWN] = {KEYMAP_READER,
                                 LOOKS,
                                 "read-page-down",
                                 N_("one page forward"),
                                 {KEY(INPUT_KEY_PAGE_DOWN), CTRL('f')}},
    [ACTION_READER_LINE_START] = {KEYMAP_READER,
                                  LOOKS,
                                  "read-line-start",
                                  N_("to the start of the line"),
                                  {KEY(INPUT_KEY_HOME), KEY('0')}},
    [ACTION_READER_LINE_END] = {KEYMAP_READER,
                                LOOKS,
                                "read-line-end",
                                N_("to the end of the line"),
                                {KEY(INPUT_KEY_END), KEY('$')}},
    [ACTION_READER_TOP] = {KEYMAP_READER, LOOKS, "read-top", N_("to the oldest line"), {KEY('g')}},
    [ACTION_READER_END] = {KEYMAP_READER, LOOKS, "read-end", N_("to the newest line"), {KEY('G')}},
    [ACTION_READER_SEARCH] =
        {KEYMAP_READER, LOOKS, "read-search", N_("search, from the cursor back"), {KEY('/')}},
    [ACTION_READER_NEXT] = {KEYMAP_READER, LOOKS, "read-next", N_("the match before"), {KEY('n')}},
    [ACTION_READER_PREVIOUS] =
        {KEYMAP_READER, LOOKS, "read-previous", N_("the match after"), {KEY('N')}},
    [ACTION_READER_SELECT] =
        {KEYMAP_READER,
         LOOKS,
         "read-select",
         N_("begin a selection, or give it up"),
         {KEY('v'), KEY(' ')}},
    [ACTION_READER_COPY] = {KEYMAP_READER,
                            LOOKS,
                            "read-copy",
                            N_("copy the selection, or else the line, to the terminal's clipboard"),
                            {KEY(INPUT_KEY_ENTER), KEY('y')}},
    [ACTION_READER_HELP] = {KEYMAP_READER, LOOKS, "read-help", N_("show help"), {KEY('?'), F(1)}},
    [ACTION_READER_CLOSE] =
        {KEYMAP_READER, LOOKS, "read-close", N_("close"), {KEY(INPUT_KEY_ESCAPE), KEY('q')}},
    [ACTION_INBOX_UP] =
        {KEYMAP_INBOX, LOOKS, "inbox-up", N_("the request before"), {KEY(INPUT_KEY_UP), KEY('k')}},
    [ACTION_INBOX_DOWN] = {KEYMAP_INBOX,
                           LOOKS,
                           "inbox-down",
                           N_("the request after"),
                           {KEY(INPUT_KEY_DOWN), KEY('j')}},
    [ACTION_INBOX_PAGE_UP] = {KEYMAP_INBOX,
                              LOOKS,
                              "inbox-page-up",
                              N_("one page back"),
                              {KEY(INPUT_KEY_PAGE_UP), CTRL('b')}},
    [ACTION_INBOX_PAGE_DOWN] = {KEYMAP_INBOX,
                                LOOKS,
                                "inbox-page-down",
                                N_("one page forward"),
                                {KEY(INPUT_KEY_PAGE_DOWN), CTRL('f')}},
    [ACTION_INBOX_TOP] =
        {KEYMAP_INBOX, LOOKS, "inbox-top", N_("to the start"), {KEY(INPUT_KEY_HOME), KEY('g')}},
    [ACTION_INBOX_END] =
        {KEYMAP_INBOX, LOOKS, "inbox-end", N_("to the end"), {KEY(INPUT_KEY_END), KEY('G')}},
    [ACTION_INBOX_MARK] =
        {KEYMAP_INBOX, DECIDES, "inbox-mark", N_("mark it, to answer several at once"), {KEY(' ')}},
    [ACTION_INBOX_MARK_AGENT] = {KEYMAP_INBOX,
                                 DECIDES,
                                 "inbox-mark-agent",
                                 N_("mark all of its agent (name and number), and none again"),
                                 {KEY('m')}},
    [ACTION_INBOX_MARK_ALL] =
        {KEYMAP_INBOX,
         DECIDES,
         "inbox-mark-all",
         N_("mark all that are asked about, and none again"),
         {KEY('M')}},
    [ACTION_INBOX_SEARCH] =
        {KEYMAP_INBOX,
         LOOKS,
         "inbox-search",
         N_("find a text in the list; Enter alone goes on"),
         {KEY('/')}},
    [ACTION_INBOX_HIGH] =
        {KEYMAP_INBOX, LOOKS, "inbox-high", N_("the next request of high risk"), {KEY('h')}},
    [ACTION_INBOX_APPROVE] =
        {KEYMAP_INBOX, DECIDES, "inbox-approve", N_("allow the marked ones once"), {KEY('y')}},
    [ACTION_INBOX_APPROVE_SESSION] = {KEYMAP_INBOX,
                                      DECIDES,
                                      "inbox-approve-session",
                                      N_("allow the marked ones for this session"),
                                      {KEY('a')}},
    [ACTION_INBOX_APPROVE_PREFIX] = {KEYMAP_INBOX,
                                     DECIDES,
                                     "inbox-approve-prefix",
                                     N_("allow what the rules of the marked ones say"),
                                     {KEY('p')}},
    [ACTION_INBOX_DENY] = {KEYMAP_INBOX,
                           DECIDES,
                           "inbox-deny",
                           N_("deny the marked ones, for this session"),
                           {KEY('d')}},
    [ACTION_INBOX_DENY_MESSAGE] = {KEYMAP_INBOX,
                                   DECIDES,
                                   "inbox-deny-message",
                                   N_("deny the marked ones (session), tell the agents why"),
                                   {KEY('n')}},
    [ACTION_INBOX_OPEN] = {KEYMAP_INBOX,
                           LOOKS,
                           "inbox-open",
                           N_("open it, with all answers that there are"),
                           {KEY(INPUT_KEY_ENTER), KEY('v')}},
    [ACTION_INBOX_HELP] = {KEYMAP_INBOX, LOOKS, "inbox-help", N_("show help"), {KEY('?'), F(1)}},
    [ACTION_INBOX_CLOSE] = {KEYMAP_INBOX,
                            LOOKS,
                            "inbox-close",
                            N_("back to the panes; what waits goes on waiting"),
                            {KEY(INPUT_KEY_ESCAPE), KEY(INPUT_KEY_TAB)}},
    [ACTION_GRANT_UP] = {KEYMAP_GRANTS,
                         LOOKS,
                         "grant-up",
                         N_("mark the one before"),
                         {KEY(INPUT_KEY_UP), KEY('k')}},
    [ACTION_GRANT_DOWN] = {KEYMAP_GRANTS,
                           LOOKS,
                           "grant-down",
                           N_("mark the one after"),
                           {KEY(INPUT_KEY_DOWN), KEY('j')}},
    [ACTION_GRANT_PAGE_UP] =
        {KEYMAP_GRANTS,
         LOOKS,
         "grant-page-up",
         N_("one page back"),
         {KEY(INPUT_KEY_PAGE_UP), CTRL('b')}},
    [ACTION_GRANT_PAGE_DOWN] = {KEYMAP_GRANTS,
                                LOOKS,
                                "grant-page-down",
                                N_("one page forward"),
                                {KEY(INPUT_KEY_PAGE_DOWN), CTRL('f')}},
    [ACTION_GRANT_TOP] =
        {KEYMAP_GRANTS, LOOKS, "grant-top", N_("to the start"), {KEY(INPUT_KEY_HOME), KEY('g')}},
    [ACTION_GRANT_END] =
        {KEYMAP_GRANTS, LOOKS, "grant-end", N_("to the end"), {KEY(INPUT_KEY_END), KEY('G')}},
    [ACTION_GRANT_REVOKE] = {KEYMAP_GRANTS,
                             DECIDES,
                             "grant-revoke",
                             N_("take the marked one back"),
                             {KEY('r'), KEY(INPUT_KEY_DELETE)}},
    [ACTION_GRANT_SHOW] = {KEYMAP_GRANTS,
                           LOOKS,
                           "grant-show",
                           N_("show all of the marked one"),
                           {KEY(INPUT_KEY_ENTER), KEY('v')}},
    [ACTION_GRANT_CLOSE] =
        {KEYMAP_GRANTS, LOOKS, "grant-close", N_("close"), {KEY(INPUT_KEY_ESCAPE), KEY('q')}},
    [ACTION_SUGGEST_UP] = {KEYMAP_SUGGEST,
                           LOOKS,
                           "suggest-up",
                           N_("mark the one before"),
                           {KEY(INPUT_KEY_UP), KEY('k')}},
    [ACTION_SUGGEST_DOWN] = {KEYMAP_SUGGEST,
                             LOOKS,
                             "suggest-down",
                             N_("mark the one after"),
                             {KEY(INPUT_KEY_DOWN), KEY('j')}},
    [ACTION_SUGGEST_ADD] = {KEYMAP_SUGGEST,
                            DECIDES,
                            "suggest-add",
                            N_("make the marked one a rule of this project"),
                            {KEY('p')}},
    [ACTION_SUGGEST_TAKE] = {KEYMAP_SUGGEST,
                             DECIDES,
                             "suggest-take",
                             N_("show all of it; add one that is wide, after the key above"),
                             {KEY(INPUT_KEY_ENTER)}},
    [ACTION_SUGGEST_SHOW] =
        {KEYMAP_SUGGEST, LOOKS, "suggest-show", N_("show all of the marked one"), {KEY('v')}},
    [ACTION_SUGGEST_CLOSE] =
        {KEYMAP_SUGGEST, LOOKS, "suggest-close", N_("close"), {KEY(INPUT_KEY_ESCAPE), KEY('q')}},
    [ACTION_LINE_ACCEPT] =
        {KEYMAP_LINE, DECIDES, "accept", N_("run or send the line"), {KEY(INPUT_KEY_ENTER)}},
    [ACTION_LINE_CANCEL] =
        {KEYMAP_LINE,
         LOOKS,
         "cancel",
         N_("empty the line; on an empty line: select the newest call"),
         {KEY(INPUT_KEY_ESCAPE), CTRL('c')}},
    [ACTION_LINE_OLDER] =
        {KEYMAP_LINE, LOOKS, "older", N_("the line before in the history"), {KEY(INPUT_KEY_UP)}},
    [ACTION_LINE_NEWER] =
        {KEYMAP_LINE, LOOKS, "newer", N_("the line after in the history"), {KEY(INPUT_KEY_DOWN)}},
    [ACTION_LINE_COMPLETE] = {KEYMAP_LINE,
                              LOOKS,
                              "complete",
                              N_("complete a command that begins with \":\""),
                              {KEY(INPUT_KEY_TAB)}},
};

void keymap_init(struct keymap *keymap)
{
    for (size_t i = 0; i < ACTION_COUNT; i++)
        memcpy(keymap->keys[i], table[i].keys, sizeof(keymap->keys[i]));
}

/* The actions of a context stand together: a key in a pane need not be compared with all. */
static const enum action first_of[KEYMAP_CONTEXT_COUNT + 1] = {
    [KEYMAP_MAIN] = ACTION_HELP,        [KEYMAP_PANE] = ACTION_LEAVE_PANE,
    [KEYMAP_APPROVAL] = ACTION_APPROVE, [KEYMAP_VIEW] = ACTION_VIEW_UP,
    [KEYMAP_READER] = ACTION_READER_UP, [KEYMAP_INBOX] = ACTION_INBOX_UP,
    [KEYMAP_GRANTS] = ACTION_GRANT_UP,  [KEYMAP_SUGGEST] = ACTION_SUGGEST_UP,
    [KEYMAP_LINE] = ACTION_LINE_ACCEPT, [KEYMAP_CONTEXT_COUNT] = ACTION_COUNT,
};

enum action keymap_find(const struct keymap *keymap, enum keymap_context context, uint32_t code,
                        unsigned modifiers)
{
    for (unsigned i = first_of[context]; i < (unsigned)first_of[context + 1]; i++)
        for (unsigned j = 0; j < KEYMAP_KEYS; j++)
            if (keymap->keys[i][j].code == code && keymap->keys[i][j].modifiers == modifiers)
                return (enum action)i;
    return ACTION_NONE;
}

enum keymap_context keymap_context_of(enum action action)
{
    return table[action].context;
}

bool keymap_decides(enum action action)
{
    return table[action].effect == DECIDES;
}

const char *keymap_name(enum action action)
{
    return table[action].name;
}

const char *keymap_help(enum action action)
{
    return *table[action].help != '\0' ? _(table[action].help) : "";
}

const char *keymap_key(const struct keymap *keymap, enum action action, char out[24])
{
    return keymap_key_name(&keymap->keys[action][0], out);
}

char *keymap_keys(const struct keymap *keymap, enum action action)
{
    struct strbuf keys = STRBUF_INIT;
    char name[24];

    for (unsigned i = 0; i < KEYMAP_KEYS && keymap->keys[action][i].code != 0; i++)
        strbuf_addf(&keys, "%s%s", i > 0 ? "  " : "",
                    keymap_key_name(&keymap->keys[action][i], name));
    return strbuf_steal(&keys);
}
