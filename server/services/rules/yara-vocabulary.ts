// The words of YARA that an editor completes: keywords, the modules fed from reports, YARA's own. Knows no ruleset.

/** https://virustotal.github.io/yara-x/docs/writing_rules/anatomy-of-a-rule/ */
const keywords =
  `all and any ascii at base64 base64wide condition contains defined endswith entrypoint false filesize for fullword
  global icontains iendswith iequals import in include int16 int16be int32 int32be int8 int8be istartswith matches meta
  nocase none not of or private rule startswith strings them true uint16 uint16be uint32 uint32be uint8 uint8be wide
  with xor`.split(/\s+/);

interface Member {
  /** Without the module's name: `network.http_request`. */
  name: string;
  kind: 'function' | 'field';
  /** With arguments by type: `url(text | regexp)`, `min_sdk`. */
  signature: string;
  returns: string;
}
interface Module {
  name: string;
  /** Fed from the reports of an APK rather than from its bytes. */
  isReport: boolean;
  description: string;
  members: Member[];
}

/** Functions of the modules fed from reports answer 1 or 0, fields a number, 0 where the report lacks it. */
const asks = (names: string, argument: string): Member[] =>
  names.split(/\s+/).map((name) => ({
    name,
    kind: 'function',
    signature: `${name}(${argument})`,
    returns: 'integer',
  }));
const numbers = (names: string): Member[] =>
  names.split(/\s+/).map((name) => ({ name, kind: 'field', signature: name, returns: 'integer' }));

const functionalities = `sms mms account browser dynamic_broadcast installed_app phone_number phone_call run_binary ads
  camera crypto iccid imei imsi mcc sensor serialno socket ssl`.split(/\s+/);

const reportModules: Module[] = [
  {
    name: 'androguard',
    isReport: true,
    description: 'The static report: manifest, certificate, URLs, what the code can do.',
    members: [
      ...asks(
        'package_name app_name activity main_activity service receiver provider filter url permission displayed_version version_code',
        'text | regexp',
      ),
      ...asks('certificate.sha1', 'text'),
      ...asks('certificate.issuer certificate.subject certificate.not_before certificate.not_after', 'text | regexp'),
      ...asks(
        functionalities
          .flatMap((name) => ['class', 'method', 'code'].map((part) => `functionality.${name}.${part}`))
          .join(' '),
        'text | regexp',
      ),
      ...numbers('min_sdk max_sdk target_sdk permissions_number number_of_activities number_of_services'),
      ...numbers('number_of_receivers number_of_providers number_of_filters number_of_permissions'),
    ],
  },
  {
    name: 'cuckoo',
    isReport: true,
    description: 'Network and system access as the reports show it.',
    members: [
      ...asks(
        'network.dns_lookup network.http_request network.http_get network.http_post network.http_user_agent network.host',
        'regexp',
      ),
      ...asks('network.tcp network.udp', 'regexp, integer'),
      ...asks('registry.key_access filesystem.file_access sync.mutex', 'regexp'),
    ],
  },
  {
    name: 'droidbox',
    isReport: true,
    description: 'What the app did while it ran.',
    members: asks('sendsms phonecall library written.filename written.data read.filename read.data', 'text | regexp'),
  },
  {
    name: 'file',
    isReport: true,
    description: "The APK's hashes and size.",
    members: [...asks('md5 sha1 sha256', 'text'), ...numbers('size')],
  },
];

const member = (kind: Member['kind'], signature: string, returns: string): Member => ({
  name: signature.replace(/\(.*/, ''),
  kind,
  signature,
  returns,
});
const of = (name: string, description: string, members: Member[] = []): Module => ({
  name,
  isReport: false,
  description,
  members,
});

/** Those of YARA itself that an analyst of Android apps writes; the rest by name. */
const bytesModules: Module[] = [
  of('console', 'Messages while a rule is tried.', [
    member('function', 'log(value)', 'boolean'),
    member('function', 'hex(integer)', 'boolean'),
  ]),
  of('dex', 'Header and tables of a dex file, and what it defines.', [
    member('function', 'has_class(text | regexp)', 'integer'),
    member('function', 'has_method(text | regexp)', 'integer'),
    member('field', 'number_of_methods', 'integer'),
    member('field', 'number_of_fields', 'integer'),
  ]),
  of('elf', 'Native libraries and programs.', [
    member('field', 'type', 'integer'),
    member('field', 'machine', 'integer'),
    member('field', 'entry_point', 'integer'),
    member('field', 'number_of_sections', 'integer'),
    member('field', 'number_of_segments', 'integer'),
    member('field', 'sections', 'array'),
    member('field', 'segments', 'array'),
    member('field', 'dynamic', 'array'),
    member('field', 'symtab', 'array'),
    member('field', 'dynsym', 'array'),
    member('function', 'telfhash()', 'string'),
    member('function', 'import_md5()', 'string'),
  ]),
  of('hash', 'Digests of a part of the file.', [
    member('function', 'md5(offset, size)', 'string'),
    member('function', 'sha1(offset, size)', 'string'),
    member('function', 'sha256(offset, size)', 'string'),
    member('function', 'crc32(offset, size)', 'integer'),
    member('function', 'checksum32(offset, size)', 'integer'),
  ]),
  of('magic', 'The type of each file, from a table of this program.', [
    member('function', 'type()', 'string'),
    member('function', 'mime_type()', 'string'),
  ]),
  of('math', 'Entropy and other figures of bytes.', [
    member('function', 'entropy(offset, size)', 'float'),
    member('function', 'mean(offset, size)', 'float'),
    member('function', 'deviation(offset, size, mean)', 'float'),
    member('function', 'serial_correlation(offset, size)', 'float'),
    member('function', 'monte_carlo_pi(offset, size)', 'float'),
    member('function', 'count(byte, offset, size)', 'integer'),
    member('function', 'percentage(byte, offset, size)', 'float'),
    member('function', 'mode(offset, size)', 'integer'),
    member('function', 'in_range(value, lower, upper)', 'boolean'),
    member('function', 'max(integer, integer)', 'integer'),
    member('function', 'min(integer, integer)', 'integer'),
    member('function', 'abs(integer)', 'integer'),
    member('function', 'to_number(boolean)', 'integer'),
    member('function', 'to_string(integer)', 'string'),
  ]),
  of('string', 'Texts and numbers in them.', [
    member('function', 'length(text)', 'integer'),
    member('function', 'to_int(text)', 'integer'),
  ]),
  of('time', 'The present.', [member('function', 'now()', 'integer')]),
  of('dotnet', 'Assemblies of .NET.'),
  of('lnk', 'Shortcuts of Windows.'),
  of('macho', 'Programs of Apple systems.'),
  of('pe', 'Programs of Windows.'),
];

export const yaraVocabulary = { keywords, modules: [...reportModules, ...bytesModules] };
