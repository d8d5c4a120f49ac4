// Rules with everything that is read of the language, for fuzz targets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const starterRules = join(import.meta.dirname, '../../resources/rules');

export const yaraRules: readonly string[] = [
  `import "androguard"
import "cuckoo"
private rule first : tag other { meta: a = "x" b = true c = -1 strings: $a = "text\\x41\\"" nocase wide ascii fullword xor(1-255)
  $b = /ab+[^c]{2,5}?(d|e)$/is $c = { 4D 5? [2-4] (AA | BB CC) ~00 [-] } $ = "base" base64("x") private
  condition: androguard.permission(/SMS/) and not cuckoo.network.http_request("http://x/") and #a > 3 and @b[1] < filesize }`,
  `import "dex"
import "math"
rule second { strings: $s1 = "a" $s2 = "b" condition: first and 2 of ($s*) or any of them and
  for any i in (1..#s1) : ( @s1[i] + 1 == uint32be(0) & 0xFF ) or for all of ($s1, $s2) : ( $ at 0 or $ in (0..10) )
  or dex.number_of_fields > 1KB and math.entropy(0, filesize) >= 7.5 and (androguard.app_name) matches /x/i }`,
  'import "file"\nimport "droidbox"\nglobal rule third { condition: file.tags("x") or droidbox.sendsms("1") or defined entrypoint or none of (first, second) // end\n}',
  ...readdirSync(starterRules)
    .filter((name) => /\.yara?$/.test(name))
    .slice(0, 2)
    .map((name) => readFileSync(join(starterRules, name), 'utf8').slice(0, 4000)),
];

export const yaraWords: readonly string[] = [
  ...'and or not all any none of them for in at contains icontains startswith iendswith iequals matches entrypoint filesize'.split(
    ' ',
  ),
  ...'int8 int16be uint32 defined global private rule import include meta strings condition variables with'.split(' '),
  ...[
    '/*',
    '*/',
    '//',
    '$',
    '#',
    '@',
    '!',
    '..',
    '<<',
    '>>',
    '==',
    '!=',
    '\\',
    '~',
    '[-]',
    '??',
    '0x',
    'MB',
    '\\/',
    '(?i)',
  ],
  'androguard.activity(/x/)',
  'cuckoo.sync.mutex("x")',
  'rule x { condition: true }',
  'rule y { strings: $a = "x" condition: $a }',
];
