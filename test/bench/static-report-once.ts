// Makes one static report in a fresh process and prints its own cost, without the process's start:
// {"cpu": seconds, "memory": MiB}.
import { analyzeStatic } from '../../server/engine/static/static-report.ts';
import { fileSource } from '../../server/vault/byte-source.ts';

const path = process.argv[2]!;
const start = process.cpuUsage();
await analyzeStatic(fileSource(path), { fileName: 'measured.apk' });
const { user, system } = process.cpuUsage(start);
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }));
