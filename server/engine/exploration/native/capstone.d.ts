// The part of Capstone's binding that is used: the package has no types. Knows nothing of libraries.
declare module '@alexaltea/capstone-js' {
  interface DecodedInstruction {
    address: bigint;
    size: number;
    mnemonic: string;
    op_str: string;
  }
  interface CapstoneHandle {
    /** Up to the first bytes that are no instruction; throws a text where there is none. */
    disasm(bytes: Uint8Array, address: number, count: number): DecodedInstruction[];
    close(): void;
  }
  export interface Capstone {
    Capstone: new (architecture: number, mode: number) => CapstoneHandle;
    ARCH_ARM: number;
    ARCH_ARM64: number;
    ARCH_X86: number;
    MODE_ARM: number;
    MODE_THUMB: number;
    MODE_32: number;
    MODE_64: number;
  }
  export default function openCapstone(): Promise<Capstone>;
}
