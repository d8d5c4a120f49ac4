// Signers' certificates seen in the catalogue, and which of them are trusted.
export interface SignerRecord {
  id: number;
  /** Hashes of the certificate, lower-case hex. */
  sha256: string;
  sha1: string;
  isTrusted: boolean;
}

export interface SignerRepository {
  /** The record of this certificate, made where it is new. */
  ensure(certificate: { sha256: string; sha1: string }): Promise<SignerRecord>;
  findById(id: number): Promise<SignerRecord | null>;
  setTrusted(id: number, isTrusted: boolean): Promise<void>;
}
