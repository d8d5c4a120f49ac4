// A thread that checkpoints the write-ahead log into the database, and waits for the disk. Knows no table.
import { workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { confirmHolder } from '../files/folder-lock.ts';
import { type CheckpointData, walSize } from './checkpoints.ts';

const { path, interval, fromBytes, holder } = workerData as CheckpointData;
const database = new SqliteDatabase(path, { timeout: 0 });

setInterval(() => {
  if (walSize(path) < fromBytes) return;
  // Where another workstation has taken the folder over this throws, and the thread ends without writing.
  if (holder !== null) confirmHolder(holder);
  // A passive checkpoint neither blocks readers and writers nor waits for them.
  database.pragma('wal_checkpoint(passive)');
}, interval);
