// Adds APKs to a content index for as long as it lives, merges it now and then, and prints each APK that was taken in.
import { writeSync } from 'node:fs';
import { IndexFolder } from '../../../server/store/content-index/index-folder.ts';
import { printedApk } from './printed-apk.ts';

const [path, first] = process.argv.slice(2) as [string, string];
const folder = new IndexFolder(path);
for (let id = Number(first); ; id += 2) {
  const apks = [printedApk(id), printedApk(id + 1)];
  folder.add(apks);
  for (const apk of apks) writeSync(1, `${apk.id}\n`);
  folder.merge();
}
