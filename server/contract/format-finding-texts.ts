// What deviations of the file formats mean, in words for the analyst. Imports nothing.

/** By code: one line that says what was found, and why it matters or how ordinary it is. */
export const formatFindingTexts: Readonly<Record<string, readonly [title: string, description: string]>> = {
  'zip-absolute-name': [
    "A file's name is an absolute path",
    'Tools that unpack without care write outside their folder.',
  ],
  'zip-bad-local-offset': ['A file starts where no file header is', 'It cannot be read; Android fails at it too.'],
  'zip-directory-size-mismatch': [
    'The directory has another size than declared',
    'Readers that trust the size see other files.',
  ],
  'zip-directory-with-data': ['A folder has content', 'Content hides where tools do not look for it.'],
  'zip-empty-name': ['A file has no name', 'No ordinary tool writes one; some stop at it.'],
  'zip-extra-field': [
    "A file's header has a large extra field",
    'Nothing needs so many bytes there; some tools stop at them.',
  ],
  'zip-name-backslash': [
    "A file's name holds a backslash",
    'Written on Windows, or to lead its tools out of their folder.',
  ],
  'zip-shifted-offsets': [
    'The directory is not where it is said to be',
    'Something was put in front of the archive, such as another file, or the offset lies.',
  ],
  'zip-too-many-entries': [
    'The archive has too many files',
    'The rest is not read. Meant to exhaust tools, since no app has so many.',
  ],
  'axml-attribute-count': [
    'An element declares more attributes than it has',
    'Strict tools read past the end or stop.',
  ],
  'axml-attribute-layout': [
    'Attributes are laid out unusually',
    'Android follows the layout, tools that assume the usual one read nonsense.',
  ],
  'axml-attribute-name': [
    "An attribute's name is not that of its id",
    'Android goes by the id; tools that go by the name are misled.',
  ],
  'axml-attribute-order': [
    'Attributes are out of order',
    'Android looks for them in the order of their ids and misses those that come too late, which tools show.',
  ],
  'axml-attribute-value': [
    "An attribute's text is not its value",
    'Android goes by the value; tools that show the text are misled.',
  ],
  'axml-bad-chunk': ['A part of the XML is damaged', 'It is passed over as Android does; strict tools stop there.'],
  'axml-end-name': ['An element ends under another name', 'Android does not compare the names, strict tools do.'],
  'axml-header-length': ['The XML header has an unusual length', 'Android follows it, some tools assume 8 bytes.'],
  'axml-header-size': [
    'The XML declares more bytes than there are',
    'It was cut off, or is meant to stop strict tools.',
  ],
  'axml-header-type': [
    'The XML has a wrong type in its header',
    'Android does not look at it; strict tools refuse the manifest.',
  ],
  'axml-missing-name': [
    'An element or attribute has no name',
    'Its name points outside the strings; strict tools stop, as packers mean them to.',
  ],
  'axml-node-header': [
    'A node of the XML has a longer header',
    'Android passes over it; tools that want 16 bytes stop there, as packers mean them to.',
  ],
  'axml-second-root': ['The XML has a second root element', 'Android reads the first; tools may read another.'],
  'axml-second-string-pool': [
    'The XML has a second pool of strings',
    'Tools that take the other one read other names than Android.',
  ],
  'axml-string-pool-size': ["The XML's strings end where nothing follows", 'The size was changed to mislead tools.'],
  'axml-surplus-end': ['An element ends that never began', 'Android passes over it, strict tools stop.'],
  'axml-too-large': ['The XML has too many parts', 'The rest is not read: no manifest is so large.'],
  'axml-trailing-data': ['Data follow the XML', 'Nothing of Android reads them; they may be a hiding place.'],
  'axml-unaligned': ['A part of the XML stands at an odd address', 'Junk was put before it to mislead tools.'],
  'axml-unclosed': ['Elements of the XML never end', 'It was cut off, or is meant to stop strict tools.'],
  'axml-unknown-chunk': ['The XML holds a part of unknown type', 'Android passes over it; put there to stop tools.'],
  'arsc-bad-chunk': ['A part of the resource table is damaged', 'What follows it cannot be found.'],
  'arsc-bag-count': ['A resource declares more items than it has', 'Those that are there are read.'],
  'arsc-chunk-header': ['A part of the resource table has too short a header', 'It is passed over.'],
  'arsc-entry-count': [
    'A resource type declares more entries than it has room for',
    'Tools that trust the number run out of memory.',
  ],
  'arsc-entry-size': [
    'A resource is said to be smaller than it is',
    'Android takes no value from it; tools read one that is not there.',
  ],
  'arsc-entry-offset': [
    'A resource stands outside its part of the table, or askew in it',
    'Android leaves it out; obfuscators do so to resources that are not used.',
  ],
  'arsc-entries-start': [
    'The values of a resource type are not where they must be',
    'Android 9 and newer refuse the whole table; tools read on.',
  ],
  'arsc-header': [
    'The resource table has a wrong header',
    'Android or an older version still reads it; strict tools stop.',
  ],
  'arsc-look-up-limit': [
    'A resource has far too many configurations',
    'Looking through them was stopped; meant to exhaust tools.',
  ],
  'arsc-package-count': [
    'The resource table declares another number of packages',
    'Obfuscators and merging tools leave such traces.',
  ],
  'arsc-package-header': ['A package of the resource table has too short a header', 'Its resources cannot be read.'],
  'arsc-second-string-pool': [
    'The resource table has a second pool of strings',
    'Tools that take the other one show other texts than Android.',
  ],
  'arsc-staged-alias': [
    'An app has resources go by other numbers',
    'Android 12 and 13 follow this, newer versions do so for the framework alone: names and texts may differ between them.',
  ],
  'arsc-trailing-data': [
    'Data follow the resource table',
    'Nothing of Android reads them; they may be a hiding place.',
  ],
  'arsc-type-unspecified': [
    'A resource type has values and no specification',
    'Android 9 and newer refuse the whole table; tools read on.',
  ],
  'arsc-unknown-chunk': [
    'The resource table holds a part of unknown type',
    'Android passes over it; put there to stop tools.',
  ],
  'string-pool-count': [
    'A pool declares more or fewer strings than it has',
    'Tools that trust the number run out of memory, or miss strings as Android does.',
  ],
  'string-pool-encoding': ['A pool of strings names the wrong encoding', 'Tools that believe it show nonsense.'],
  'string-pool-header': ['A pool of strings is cut off', 'It has no strings.'],
  'string-pool-length': ['A string is longer than its pool', 'It is cut to what is there.'],
  'string-pool-letters': [
    'A string has more or fewer letters than it declares',
    'Android reads nothing from it; tools show a text that is not there.',
  ],
  'string-pool-odd-offset': [
    'A string stands between two letters',
    'Android reads it from the letter that it stands in; tools that take its place at its word read nonsense.',
  ],
  'string-pool-offset': ['A string stands outside its pool', 'It is missing; strict tools stop.'],
  'string-pool-overlap': ['Strings of a pool overlap', 'Some bytes are named so often that tools run out of memory.'],
  'string-pool-start': ['A pool of strings starts outside itself', 'Its strings cannot be read.'],
  'string-pool-styles': ['A pool declares styles that it does not have', 'A known way to stop tools that trust it.'],
  'string-pool-terminator': ['A string does not end where it says', 'Android and tools may read different texts.'],
  'dex-annotations': ['Annotations are damaged', 'Obfuscators strip or break them.'],
  'dex-class-data': [
    "A class's fields or methods are not what Android takes",
    'They are cut off, listed in a wrong place or of impossible flags: damaged, or changed to stop tools.',
  ],
  'dex-class-definition': [
    'A class is defined in a way that cannot be',
    'Twice, below itself, or with parts outside the file: Android refuses such code, tools are led astray.',
  ],
  'dex-container': ['A DEX container is damaged', 'Parts of its code could not be read.'],
  'dex-container-offset': ['A DEX container has a wrong offset', 'Its parts are found all the same.'],
  'dex-debug-info': ['Debug information is damaged', 'Android does not need it; obfuscators break it to stop tools.'],
  'dex-encoded-value': ['A constant of a class is damaged', 'It reads as empty.'],
  'dex-endian-tag': ['The DEX names another byte order', 'Android refuses it; it is read as usual.'],
  'dex-handlers': ['Exception handlers are damaged', 'Android refuses such code, tools may stop at it.'],
  'dex-header-size': ['The DEX header has an unusual size', 'Strict tools refuse it; room for hidden data.'],
  'dex-hidden-code': [
    'Code is hidden from the list of methods',
    'A method is listed twice in the place of another, or code belongs to no method: tools do not show it, and the app can bring it back at run time.',
  ],
  'dex-index': [
    'A table of the DEX points past the end of another one',
    'Android refuses the file where it verifies it; tools that trust the number fail.',
  ],
  'dex-item': [
    'A part of the DEX is damaged or not where others look for it',
    'Lists of types, annotations, constants: Android refuses the file where it verifies it, tools may stop at it.',
  ],
  'dex-map': [
    'The map of a DEX is damaged or differs from its header',
    'Android checks it where it verifies the file; packers leave it out.',
  ],
  'dex-method-handle': ['A method handle is of unknown type', 'Android refuses such code.'],
  'dex-misaligned': ['A DEX table stands at an odd address', 'Android refuses it where it verifies the file.'],
  'dex-order': [
    'A table of the DEX is not sorted',
    'No compiler writes one like it, and Android refuses the file where it verifies it.',
  ],
  'dex-overlap': ['Tables of a DEX overlap', 'No compiler does so.'],
  'dex-registers': [
    'A method takes or hands on more than its registers hold',
    'No compiler writes one like it, and Android refuses the file where it verifies it.',
  ],
  'dex-string-encoding': ['A string is not well-formed', 'Obfuscators name classes and methods so, to stop tools.'],
  'dex-string-length': ['A string has another length than declared', 'No compiler does so.'],
  'dex-string-limit': ['Strings of a DEX overlap too much', 'The rest is not searched: meant to exhaust tools.'],
  'dex-string-outside': ['A string stands outside the DEX', 'The file is damaged or cut off.'],
  'dex-text-limit': ['Names of a DEX sum up to too much text', 'The rest reads as numbers: meant to exhaust tools.'],
  'dex-trailing-data': ['Data follow the DEX', 'A hiding place: droppers and packers append their payload there.'],
  'dex-tries': ['Try blocks are cut off', 'Android refuses such code, tools may stop at it.'],
  'dex-truncated': ['The DEX is shorter than it declares', 'It was cut off, or its size was changed.'],
  'dex-type-list': ['A list of parameters or interfaces is too long', 'It is cut; no compiler writes one like it.'],
  'elf-bad-dynamic-section': [
    "A native library's imports cannot be read",
    'Packers hide them; the file may be damaged.',
  ],
  'elf-bad-program-headers': [
    'Program headers of a native library are damaged',
    'The loader refuses it, or another program reads it.',
  ],
  'elf-bad-section-headers': [
    'Section headers of a native library are damaged',
    'The loader does not need them; protectors break them to stop tools.',
  ],
  'elf-bad-symbol-name': [
    'Symbols of a native library have no readable name',
    'Obfuscators and damage leave such traces.',
  ],
  'elf-symbol-count': ['A native library declares more symbols than are there', 'Those that are there are read.'],
};
