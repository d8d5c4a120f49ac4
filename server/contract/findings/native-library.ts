// What stands out in native libraries. Knows nothing of how it is found.
import { type FindingsOf, high, info, low, medium } from './row.ts';

export const nativeLibraryFindings = {
  'elf-upx-packed': high('A native library is packed with UPX', 'Its real code appears only in memory.', 'T1406.002'),
  'elf-abi-mismatch': medium("A native library is in another processor's folder", 'It cannot be loaded from there.'),
  'elf-writable-code': medium('A native library has writable code', 'Typical of packers that unpack themselves.'),
  'elf-text-relocations': low(
    'A native library changes its own code while it is loaded',
    'Refused by Android 6 and later.',
  ),
  'elf-no-section-headers': low(
    'A native library has no section headers',
    'Stripped to slow down disassemblers; the loader does not need them.',
  ),
  'elf-bad-dynamic-section': medium(
    "A native library's imports cannot be read",
    'Packers hide them; the file may be damaged.',
  ),
  'elf-bad-program-headers': medium(
    'Program headers of a native library are damaged',
    "Android's loader refuses it; a loader of the app's own may not.",
  ),
  'elf-bad-section-headers': medium(
    'Section headers of a native library are damaged',
    'The loader does not need them; protectors break them to stop tools.',
  ),
  'elf-bad-symbol-name': low(
    'Symbols of a native library have no readable name',
    'Obfuscators and damage leave such traces.',
  ),
  'elf-symbol-count': medium('A native library declares more symbols than are there', 'Those that are there are read.'),
  'elf-unbounded-copy': info(
    'A native library copies texts of any length',
    'strcpy, sprintf, gets and their like write past the end of what is too short. Common; look where the texts come from.',
    'CWE-120 CWE-676 MASVS-CODE-4',
  ),
} satisfies FindingsOf<'elf'>;
