// Measures identity and signature verification as a warm worker does them, and prints milliseconds of CPU per call:
// {"identity": n, "signatures": n}.
import { Findings } from '../../server/engine/findings.ts';
import { verifySignatures } from '../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { identify } from '../../server/engine/static/identity.ts';
import { fileSource } from '../../server/vault/byte-source.ts';

const path = process.argv[2]!;
const warmUp = Number(process.argv[3] ?? 10);

function perCall(work: () => void, calls: number): number {
  for (let call = 0; call < warmUp; call++) work();
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / calls;
}

function withSource(work: (source: ReturnType<typeof fileSource>) => void): () => void {
  return () => {
    const source = fileSource(path);
    work(source);
    source.close();
  };
}

const identity = perCall(
  withSource((source) => void identify(source)),
  20,
);
const signatures = perCall(
  withSource((source) => void verifySignatures(openZip(source, new Findings()), null)),
  5,
);
process.stdout.write(JSON.stringify({ identity, signatures }));
