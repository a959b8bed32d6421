/* SPDX-License-Identifier: MIT */
/* local_assignment: variables in front of a command that change what programs do. */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "command/carried.h"
#include "command/environment.h"
#include "risk/local-int.h"

/* NAME=VALUE that makes programs run other code (HIGH), or that switches a protection off. */
static const struct {
    const char *pattern;
    unsigned categories;
    enum phrase phrase;
} variables[] = {
    {"LD_*", 0, PHRASE_loader_variable},
    {"DYLD_*", 0, PHRASE_loader_variable},
    {"GCONV_PATH=*", 0, PHRASE_loader_variable},
    {"BASH_*", 0, PHRASE_loader_variable},
    {"ENV=*", 0, PHRASE_loader_variable},
    {"SHELLOPTS=*", 0, PHRASE_loader_variable},
    {"PROMPT_COMMAND=*", 0, PHRASE_loader_variable},
    {"GIT_SSH*", 0, PHRASE_loader_variable},
    {"GIT_CONFIG*", 0, PHRASE_loader_variable},
    {"GIT_EXEC_PATH=*", 0, PHRASE_loader_variable},
    {"GIT_EXTERNAL_DIFF=*", 0, PHRASE_loader_variable},
    {"GIT_PROXY_COMMAND=*", 0, PHRASE_loader_variable},
    {"GIT_ASKPASS=*", 0, PHRASE_loader_variable},
    {"SSH_ASKPASS=*", 0, PHRASE_loader_variable},
    {"GIT_DIR=/*", 0, PHRASE_loader_variable},
    {"PYTHONSTARTUP=*", 0, PHRASE_loader_variable},
    {"PYTHONHOME=*", 0, PHRASE_loader_variable},
    {"PERL5*", 0, PHRASE_loader_variable},
    {"RUBYOPT=*", 0, PHRASE_loader_variable},
    {"RUBYLIB=*", 0, PHRASE_loader_variable},
    {"NODE_OPTIONS=*require*", 0, PHRASE_loader_variable},
    {"NODE_OPTIONS=*-r*", 0, PHRASE_loader_variable},
    {"NODE_OPTIONS=*import*", 0, PHRASE_loader_variable},
    {"NODE_OPTIONS=*loader*", 0, PHRASE_loader_variable},
    {"JAVA_TOOL_OPTIONS=*", 0, PHRASE_loader_variable},
    {"RUSTC_WRAPPER=*", 0, PHRASE_loader_variable},
    {"RIPGREP_CONFIG_PATH=*", 0, PHRASE_loader_variable},
    {"LESSOPEN=*", 0, PHRASE_loader_variable},
    {"MANPAGER=*", 0, PHRASE_loader_variable},
    {"PATH=/tmp*", 0, PHRASE_loader_variable},
    {"PATH=.*", 0, PHRASE_loader_variable},
    {"PATH=?", 0, PHRASE_loader_variable}, /* what is read into it */
    {"*PAGER=* *", 0, PHRASE_loader_variable},
    {"*PAGER=*/*", 0, PHRASE_loader_variable},
    {"*EDITOR=* -c*", 0, PHRASE_loader_variable},
    {"*EDITOR=*sh *", 0, PHRASE_loader_variable},
    {"*EDITOR=python*", 0, PHRASE_loader_variable},
    {"*EDITOR=perl*", 0, PHRASE_loader_variable},
    {"*EDITOR=*.sh", 0, PHRASE_loader_variable},
    {"*EDITOR=./*", 0, PHRASE_loader_variable},
    {"VISUAL=*sh *", 0, PHRASE_loader_variable},
    {"VISUAL=./*", 0, PHRASE_loader_variable},
    {"BROWSER=*sh *", 0, PHRASE_loader_variable},
    {"BROWSER=./*", 0, PHRASE_loader_variable},
    {"*EDITOR=/tmp/*", 0, PHRASE_loader_variable},
    {"NODE_TLS_REJECT_UNAUTHORIZED=0", RISK_COMPLIANCE, PHRASE_security_off},
    {"GIT_SSL_NO_VERIFY=*", RISK_COMPLIANCE, PHRASE_security_off},
    {"PYTHONHTTPSVERIFY=0", RISK_COMPLIANCE, PHRASE_security_off},
    {"npm_config_strict_ssl=false", RISK_COMPLIANCE, PHRASE_security_off},
    {"npm_config_registry=*", RISK_SYSTEM_MODIFICATION, PHRASE_supply_chain},
    {"PIP_INDEX_URL=*", RISK_SYSTEM_MODIFICATION, PHRASE_supply_chain},
    {"PIP_EXTRA_INDEX_URL=*", RISK_SYSTEM_MODIFICATION, PHRASE_supply_chain},
    {"GOPROXY=http*", RISK_SYSTEM_MODIFICATION, PHRASE_supply_chain},
    {"GOFLAGS=*exec*", 0, PHRASE_loader_variable},
    {"GONOSUMCHECK=*", RISK_COMPLIANCE, PHRASE_security_off},
    {"GONOSUMDB=*", RISK_COMPLIANCE, PHRASE_security_off},
    {"GOSUMDB=off", RISK_COMPLIANCE, PHRASE_security_off},
    {"HISTFILE=*", RISK_COMPLIANCE, PHRASE_hides_traces},
    {"HISTSIZE=0", RISK_COMPLIANCE, PHRASE_hides_traces},
    {"HISTCONTROL=*", RISK_COMPLIANCE, PHRASE_hides_traces},
};

void local_assess_assignment(const struct assessor *assessor, const char *assignment,
                             const struct shell_word *word)
{
    if (strchr(assignment, '=') == NULL || environment_is_harmless(assignment))
        return;
    for (size_t i = 0; i < COUNT(variables); i++)
        if (effects_fits(variables[i].pattern, strlen(variables[i].pattern), assignment)) {
            local_note(assessor,
                       (struct finding){RISK_HIGH, variables[i].categories, variables[i].phrase,
                                        word->start, word->end, assignment});
            return;
        }
    const char *script = carried_in_variable(assignment);
    if (script != NULL && strchr(script, ' ') != NULL)
        local_read_guess(assessor, script, word->start, word->end);
}
