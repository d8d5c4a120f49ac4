// What YARA accepts and YARA-X does not, outside of regular expressions, and its equivalent in YARA-X. Knows nothing of tokens.

/** Constants of YARA's modules that YARA-X lacks. @see https://github.com/VirusTotal/yara/tree/v4.2.3/libyara/modules */
const missingConstants: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  elf: { SHF_WRITE: 1, SHF_ALLOC: 2, SHF_EXECINSTR: 4 },
  pe: {
    MACHINE_TARGET_HOST: 1,
    MACHINE_SH3E: 0x1a4,
    MACHINE_TRICORE: 0x520,
    MACHINE_CEF: 0xcef,
    MACHINE_CEE: 0xc0ee,
    SECTION_MEM_FARDATA: 0x8000,
    SECTION_MEM_PURGEABLE: 0x20000,
    SECTION_MEM_16BIT: 0x20000,
    SECTION_MEM_LOCKED: 0x40000,
    SECTION_MEM_PRELOAD: 0x80000,
    IMAGE_DEBUG_TYPE_UNKNOWN: 0,
    IMAGE_DEBUG_TYPE_CODEVIEW: 2,
  },
};

/** The value of a module's constant that the engine does not know. */
export function missingConstant(module: string, name: string): number | undefined {
  const constants = Object.hasOwn(missingConstants, module) ? missingConstants[module]! : {};
  return Object.hasOwn(constants, name) ? constants[name] : undefined;
}

/** Names that rules may have in YARA, and that are modules or keywords in YARA-X. */
export const engineWords: ReadonlySet<string> = new Set(
  'with include pe elf math hash dotnet cuckoo time string console dex macho lnk zip crx vt'.split(' '),
);

/** Keywords of YARA-X alone, which in YARA may be names of tags and metadata. */
const languageWords: ReadonlySet<string> = new Set(['with', 'include']);
const wordPrefix = '__word_';

/** The name that the engine is given for a tag or an entry of metadata. */
export const engineWord = (word: string): string => (languageWords.has(word) ? `${wordPrefix}${word}` : word);

/** The author's name for one of the engine's. */
export const authorsWord = (word: string): string =>
  word.startsWith(wordPrefix) ? word.slice(wordPrefix.length) : word;
