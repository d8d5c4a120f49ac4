// Deviations of binary XML and of the resource table. Knows nothing of how it is found.
import { type FindingsOf, high, medium } from './row.ts';

export const xmlAndResourcesFindings = {
  'axml-plain-text': high('XML as text instead of binary XML', 'Android cannot read it.'),
  'axml-protobuf': high(
    'XML in the form of app bundles',
    'APKs have to be built from it first; Android cannot read it.',
  ),
  'axml-too-deep': medium(
    'XML is nested too deeply',
    'Tools that recurse run out of stack; no real manifest is like this.',
  ),
  'axml-attribute-count': medium(
    'An element declares more attributes than it has',
    'Strict tools read past the end or stop.',
  ),
  'axml-attribute-layout': medium(
    'Attributes are laid out unusually',
    'Android follows the layout, tools that assume the usual one read nonsense.',
  ),
  'axml-attribute-name': medium(
    "An attribute's name does not belong to its id",
    'Android goes by the id; tools that go by the name are misled.',
  ),
  'axml-attribute-order': medium(
    'Attributes are out of order',
    'Android looks for attributes in the order of their ids and misses those out of order; tools show them.',
  ),
  'axml-attribute-value': medium(
    "An attribute's text is not its value",
    'Android goes by the value; tools that show the text are misled.',
  ),
  'axml-bad-chunk': medium('A chunk of the XML is damaged', 'Android skips it; strict tools stop there.'),
  'axml-end-name': medium('An element ends under another name', 'Android does not compare the names, strict tools do.'),
  'axml-header-length': medium(
    'The XML header has an unusual length',
    'Android follows it, some tools assume 8 bytes.',
  ),
  'axml-header-size': medium(
    'The XML declares more bytes than there are',
    'It was cut off, or is meant to stop strict tools.',
  ),
  'axml-header-type': medium(
    'The XML has a wrong type in its header',
    'Android does not look at it; strict tools refuse the manifest.',
  ),
  'axml-missing-name': medium(
    'An element or attribute has no name',
    'Its name is not in the string pool; packers do this to stop strict tools.',
  ),
  'axml-node-header': medium(
    'A node of the XML has a header of unusual length',
    'Android skips the surplus; packers do this to stop tools that expect 16 bytes.',
  ),
  'axml-second-root': medium('The XML has a second root element', 'Android reads the first; tools may read another.'),
  'axml-second-string-pool': medium(
    'The XML has a second string pool',
    'Tools that use the other one read other names than Android.',
  ),
  'axml-string-pool-size': medium("The size of the XML's string pool is wrong", 'It was changed to mislead tools.'),
  'axml-surplus-end': medium('An element ends that never began', 'Android ignores it, strict tools stop.'),
  'axml-too-large': medium('The XML has too many parts', 'The rest is not read; no manifest is so large.'),
  'axml-trailing-data': medium(
    'Data after the end of the XML',
    'Android does not read them; they may be a hiding place.',
  ),
  'axml-unaligned': medium('A chunk of the XML is not aligned', 'Junk was put before it to mislead tools.'),
  'axml-unclosed': medium('Elements of the XML never end', 'It was cut off, or is meant to stop strict tools.'),
  'axml-unknown-chunk': medium(
    'The XML holds a chunk of unknown type',
    'Android skips it; it was put there to stop tools.',
  ),
  'arsc-reference-cycle': medium(
    'Resources refer to each other in a circle',
    'Tools that follow references without a limit hang on this; Android stops after some steps.',
  ),
  'arsc-bad-chunk': medium('A chunk of the resource table is damaged', 'What follows it cannot be found.'),
  'arsc-bag-count': medium('A resource declares more items than it has', 'Those that are there are read.'),
  'arsc-chunk-header': medium('A chunk of the resource table has too short a header', 'It is skipped.'),
  'arsc-entry-count': medium(
    'A resource type declares more entries than it has room for',
    'Tools that trust the number run out of memory.',
  ),
  'arsc-entry-size': medium(
    'A resource declares fewer bytes than it needs',
    'Android takes no value from it; tools show one.',
  ),
  'arsc-entry-offset': medium(
    'The offset of a resource is outside its chunk or not aligned',
    'Android leaves it out; obfuscators do this to unused resources.',
  ),
  'arsc-entries-start': medium(
    'The entries of a resource type start at a wrong offset',
    'Android 9 and newer refuse the whole table; tools read on.',
  ),
  'arsc-header': medium(
    'The resource table has a wrong header',
    'Some versions of Android still read it; strict tools stop.',
  ),
  'arsc-look-up-limit': high(
    'A resource has far too many configurations',
    'Not all of them were compared; meant to exhaust tools.',
  ),
  'arsc-package-count': medium(
    'The declared number of packages in the resource table is wrong',
    'Obfuscators and merging tools leave such traces.',
  ),
  'arsc-package-header': medium(
    'A package of the resource table has too short a header',
    'Its resources cannot be read.',
  ),
  'arsc-second-string-pool': medium(
    'The resource table has a second string pool',
    'Tools that use the other one show other texts than Android.',
  ),
  'arsc-staged-alias': medium(
    'An app redirects resource ids',
    'Android 12 and 13 follow this, later versions only for the framework: names and texts may differ between them.',
  ),
  'arsc-trailing-data': medium(
    'Data after the end of the resource table',
    'Android does not read them; they may be a hiding place.',
  ),
  'arsc-type-unspecified': medium(
    'A resource type has values and no specification',
    'Android 9 and newer refuse the whole table; tools read on.',
  ),
  'arsc-unknown-chunk': medium(
    'The resource table holds a chunk of unknown type',
    'Android skips it; it was put there to stop tools.',
  ),
  'string-pool-count': medium(
    'A string pool declares more or fewer strings than it has',
    'Tools that trust the number run out of memory, or miss strings as Android does.',
  ),
  'string-pool-encoding': medium('A string pool declares the wrong encoding', 'Tools that believe it show nonsense.'),
  'string-pool-header': medium('A string pool is cut off', 'It has no strings.'),
  'string-pool-length': medium('A string is longer than its pool', 'It is cut to what is there.'),
  'string-pool-letters': medium(
    'The declared length of a string is wrong',
    'Android reads nothing from it; tools show a text.',
  ),
  'string-pool-odd-offset': medium(
    'A UTF-16 string starts at an odd offset',
    'Android rounds the offset down; tools that use it as it is read nonsense.',
  ),
  'string-pool-offset': medium('A string starts outside its pool', 'It is missing; strict tools stop.'),
  'string-pool-overlap': medium(
    'Strings of a pool overlap',
    'The same bytes are used so often that tools run out of memory.',
  ),
  'string-pool-start': medium('The strings of a pool start outside it', 'They cannot be read.'),
  'string-pool-styles': medium(
    'A string pool declares styles that it does not have',
    'A known way to stop tools that trust it.',
  ),
  'string-pool-terminator': medium(
    'A string does not end at its declared length',
    'Android and tools may read different texts.',
  ),
} satisfies FindingsOf<'axml' | 'arsc' | 'string-pool'>;
