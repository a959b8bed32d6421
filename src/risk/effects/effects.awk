# SPDX-License-Identifier: MIT
# Turns the tables of this folder (README says how they are written) into C, one EFFECT() a line
# and a command, for src/risk/effects.c. A line that it does not understand ends the build.
function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}
function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}
function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
# Sets level, categories and place.
function read_judgement(text,   words, count, i) {
    count = split(text, words, " ")
    level = ""; categories = "0"; place = "NOWHERE"
    for (i = 1; i <= count; i++) {
        if (i == 1 && words[i] ~ /^(low|medium|high|values|inputs|outputs)$/)
            level = toupper(words[i])
        else if (words[i] ~ /^[DXPSNRC]+$/)
            categories = gensub_categories(words[i])
        else if (words[i] ~ /^(reads|writes|moves|connects|repository)$/)
            place = toupper(words[i])
        else
            fail("not a level, category or place: " words[i])
    }
    if (level == "")
        fail("no level")
}
function gensub_categories(letters,   text, i) {
    text = substr(letters, 1, 1)
    for (i = 2; i <= length(letters); i++)
        text = text "|" substr(letters, i, 1)
    return text
}
# All combinations of the alternatives of words[at] and those behind it.
function expand(at, prefix,   parts, count, i, word) {
    if (at > word_count) {
        emit(prefix)
        return
    }
    count = split(words_of_command[at], parts, ",")
    for (i = 1; i <= count; i++) {
        word = parts[i]
        gsub(/_/, " ", word)
        expand(at + 1, prefix == "" ? word : prefix " " word)
    }
}
function emit(path) {
    printf "EFFECT(%s, %s, %s, %s, %s, %s, %s, %s)\n", quoted(program), quoted(path),
        quoted(condition), level, categories, place, phrase, quoted(example)
    example = "" # one line of them has it
}
BEGIN { FS = "|" }
/^#/ || /^[ \t]*$/ { next }
{
    command = trim($1); condition = trim($2); phrase = trim($4); example = trim($5)
    read_judgement(trim($3))
    option_list = level ~ /^(VALUES|INPUTS|OUTPUTS)$/
    if (option_list ? NF != 3 : NF < 5)
        fail("wrong number of columns")
    if (option_list) {
        phrase = "reads"
    } else {
        # An example may hold a pipe.
        example = $5
        for (i = 6; i <= NF; i++)
            example = example "|" $i
        example = trim(example)
        if (example == "")
            fail("no example")
    }
    word_count = split(command, all, " ") - 1
    for (i = 1; i <= word_count; i++)
        words_of_command[i] = all[i + 1]
    program_count = split(all[1], programs, ",")
    for (p = 1; p <= program_count; p++) {
        program = programs[p]
        expand(1, "")
    }
}
END { exit failed }
