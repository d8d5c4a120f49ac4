// Deviations of DEX files. Knows nothing of how it is found.
import { type FindingsOf, high, low, medium } from './row.ts';

export const dexFindings = {
  'dex-checksum': medium("A DEX file's checksum is wrong", 'It was changed after it was built; Android may refuse it.'),
  'dex-signature': low(
    'The SHA-1 hash in a DEX header is wrong',
    'It was changed after it was built, for example by a packer.',
  ),
  'dex-version': medium('Unknown DEX version', 'Android may refuse the file.'),
  'dex-hidden-api': low("An app's DEX has hidden API flags", "Only the platform's own files have them."),
  'dex-code-truncated': medium(
    "A method's code runs past the end of the file",
    'The method cannot run; a packer may fill it in at run time.',
  ),
  'dex-code-overrun': medium('An instruction runs past the end of its method', 'Seen in damaged or obfuscated code.'),
  'dex-offset-outside': medium('A DEX offset points outside the file', 'Damaged on purpose, or the file was cut off.'),
  'dex-code-limit': high(
    'Code is shared too much to be scanned',
    'Methods point at the same code over and over, to exhaust tools.',
  ),
  'dex-table-outside': high('A DEX table points outside the file', 'Damaged on purpose, or the file was cut off.'),
  'dex-annotations': medium('Annotations are damaged', 'Obfuscators strip or break them.'),
  'dex-class-data': medium(
    "Android does not accept a class's fields or methods",
    'They are cut off, in the wrong list or have impossible flags: damaged, or changed to stop tools.',
  ),
  'dex-class-definition': medium(
    'A class definition is impossible',
    'It is there twice, inherits from itself, or has parts outside the file. Android refuses such code, tools are misled.',
  ),
  'dex-container': medium('A DEX container is damaged', 'Parts of its code could not be read.'),
  'dex-container-offset': medium('A DEX container has a wrong offset', 'Its parts are found all the same.'),
  'dex-debug-info': low(
    'Debug information is damaged',
    'Android does not need it; obfuscators break it to stop tools.',
  ),
  'dex-encoded-value': medium('A constant of a class is damaged', 'It is read as empty.'),
  'dex-endian-tag': high(
    'The DEX declares another byte order',
    'Android refuses it; here it is read as little-endian.',
  ),
  'dex-handlers': medium('Exception handlers are damaged', 'Android refuses such code, tools may stop at it.'),
  'dex-header-size': medium('The DEX header has an unusual size', 'Strict tools refuse it; room for hidden data.'),
  'dex-hidden-code': medium(
    'Code is hidden from the list of methods',
    'A method is listed twice, in place of another one, or code belongs to no method. Tools do not show such code; the app can restore it at run time.',
  ),
  'dex-index': medium(
    'A DEX table refers past the end of another one',
    'Android refuses the file when it verifies it; tools that trust the number fail.',
  ),
  'dex-item': medium(
    'Data of a DEX file are damaged or misplaced',
    'Lists of types, annotations, constants: Android refuses the file when it verifies it, tools may stop at it.',
  ),
  'dex-map': medium(
    'The map of a DEX is damaged or differs from its header',
    'Android checks it when it verifies the file; packers leave it out.',
  ),
  'dex-method-handle': medium('A method handle is of unknown type', 'Android refuses such code.'),
  'dex-misaligned': medium('A DEX table is not aligned', 'Android refuses it when it verifies the file.'),
  'dex-order': medium(
    'A table of the DEX is not sorted',
    'No compiler writes one like it, and Android refuses the file when it verifies it.',
  ),
  'dex-overlap': medium('Tables of a DEX overlap', 'No compiler does so.'),
  'dex-registers': medium(
    'A method passes more arguments than its registers hold',
    'No compiler writes one like it, and Android refuses the file when it verifies it.',
  ),
  'dex-string-encoding': low(
    'A string is not valid MUTF-8',
    'Obfuscators name classes and methods like this to stop tools.',
  ),
  'dex-string-length': low('The declared length of a string is wrong', 'No compiler does so.'),
  'dex-string-limit': high('Strings of a DEX overlap too much', 'The rest is not searched; meant to exhaust tools.'),
  'dex-string-outside': medium('A string starts outside the DEX', 'The file is damaged or cut off.'),
  'dex-text-limit': high(
    'The names in a DEX add up to too much text',
    'The rest is shown as numbers; meant to exhaust tools.',
  ),
  'dex-trailing-data': medium(
    'Data after the end of the DEX',
    'A hiding place: droppers and packers append their payload there.',
  ),
  'dex-tries': medium('Try blocks are cut off', 'Android refuses such code, tools may stop at it.'),
  'dex-truncated': medium('The DEX is shorter than it declares', 'It was cut off, or its size was changed.'),
  'dex-type-list': medium(
    'A list of parameters or interfaces is too long',
    'It is cut; no compiler writes one like it.',
  ),
} satisfies FindingsOf<'dex'>;
