// Deviations of the archive, and packages that are no ordinary app. Knows nothing of how it is found.
import { critical, type FindingsOf, high, info, low, medium } from './row.ts';

export const archiveFindings = {
  'zip-duplicate-entry': high(
    'Two files have the same name',
    'Android refuses such an archive; older versions verified one file and ran the other.',
  ),
  'zip-encrypted-flag': medium(
    'A file is marked as encrypted',
    'Android ignores the mark, many tools stop at it: a common trick against analysis.',
  ),
  'zip-unknown-method': medium(
    'A file has an unknown compression method',
    'Android reads it nevertheless, many tools do not: a common trick against analysis.',
  ),
  'zip-bomb': high('The archive unpacks to far too much', 'It would fill the memory of a tool that has no limit.'),
  'zip-dex-prefix': critical(
    'The archive is a DEX file as well (Janus)',
    'CVE-2017-13156: code before the archive is run by Android 5 to 8.0 and not covered by JAR signing.',
    'CWE-347 MASVS-RESILIENCE-2',
  ),
  'zip-bad-start': medium('The archive does not begin with a file header', 'Android refuses such an archive.'),
  'zip-local-header-mismatch': medium(
    'The two headers of a file disagree',
    'Where methods or encryption flags differ, Android goes by the directory; where names, sizes or checksums differ, it does not open the file. Tools that read the other header see something else.',
  ),
  'zip-overlapping-entries': high(
    'Files overlap in the archive',
    'The same bytes are used more than once, as in a flat ZIP bomb.',
  ),
  'zip-size-mismatch': medium(
    'A file does not have its declared size',
    'Android goes by one of the numbers, some tools by the other.',
  ),
  'zip-crc-mismatch': low(
    'A file does not have its declared checksum',
    'Android does not check it; the file was changed after packing.',
  ),
  'zip-trailing-data': medium('Data after the end of the archive', 'Something is appended that belongs to no file.'),
  'zip-entry-truncated': medium('A file is cut off', 'The archive ends before the file does.'),
  'zip-name-encoding': medium("A file's name is not valid UTF-8", 'Android refuses such a name.'),
  'zip-bad-zip64-field': medium(
    'ZIP64 sizes are missing or wrong',
    'The directory announces 64-bit numbers that are not there.',
  ),
  'zip-path-traversal': high(
    "A file's name leads out of its folder",
    'Tools that unpack it without care write where the author wants.',
  ),
  'zip-multiple-end-records': medium(
    'The archive has several end records',
    'Tools that go by another one than Android see another archive.',
  ),
  'zip-entry-count-mismatch': high(
    'The declared number of files is wrong',
    'Android refuses the archive, or does not see the files beyond that number.',
  ),
  'zip-special-name-as-folder': high(
    'A file has the name of a folder',
    'Tools overlook a manifest or a DEX file whose name ends in a slash.',
  ),
  'zip-file-and-folder': medium('A file and a folder have the same name', 'Meant to stop tools that unpack to disk.'),
  'zip-name-nul': high(
    "A file's name contains a NUL character",
    'Tools cut the name there and take the file for another one.',
  ),
  'zip-long-name': low("A file's name is too long for a file system", 'Meant to stop tools that unpack to disk.'),
  'zip-absolute-name': medium(
    "A file's name is an absolute path",
    'Tools that unpack without care write outside their folder.',
  ),
  'zip-bad-local-offset': medium(
    'A file starts where there is no file header',
    'It cannot be read; Android fails at it too.',
  ),
  'zip-directory-size-mismatch': medium(
    "The directory's declared size is wrong",
    'Readers that trust the size see other files.',
  ),
  'zip-directory-with-data': medium('A folder has content', 'Content hides where tools do not look for it.'),
  'zip-empty-name': medium('A file has no name', 'No ordinary tool writes one; some stop at it.'),
  'zip-extra-field': low(
    "A file's header has a large extra field",
    'Nothing needs so many bytes there; some tools stop at them.',
  ),
  'zip-name-backslash': low(
    "A file's name contains a backslash",
    'Written on Windows, or meant to make tools there write outside their folder.',
  ),
  'zip-shifted-offsets': medium(
    'The directory is not where the end record says',
    'Something was put in front of the archive, or the offset is false.',
  ),
  'zip-too-many-entries': high(
    'The archive has too many files',
    'The rest is not read. No app has so many; meant to exhaust tools.',
  ),
  'package-split': info(
    'The file is a part of an app',
    'It installs only together with its base APK, which has the rest of the app.',
  ),
  'package-base': info(
    'The app needs further APKs',
    'It does not install alone; code, resources or native libraries may be in the others.',
  ),
  'package-overlay': info(
    "The package changes another one's resources",
    'Texts, pictures and settings of the target are shown as this package has them.',
  ),
  'package-library': info('The package is a library for other apps', 'Its code runs inside the apps that use it.'),
  'package-system-module': info(
    'The file is a system module (APEX)',
    'It is no app: its content is a file system image that the platform mounts.',
  ),
  'package-unbuilt': info(
    'The file is what apps are built from',
    'A module of an app bundle or a library for developers; no device installs it.',
  ),
  'package-resources-layout': medium(
    'The resource table is compressed or not aligned',
    'Android 11 and later refuse to install such an app if it targets them; older versions run it.',
  ),
  'package-library-layout': low(
    'A native library cannot be loaded from the archive',
    'The manifest says that libraries are not extracted, so they must be uncompressed and aligned to pages. Devices of this ABI refuse the app.',
  ),
} satisfies FindingsOf<'zip' | 'package'>;
