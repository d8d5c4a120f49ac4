// A thread that moves what was committed from the write-ahead log into the database, and waits for the disk. Knows no table.
import { workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { type CheckpointData, walSize } from './checkpoints.ts';

const { path, interval, fromBytes } = workerData as CheckpointData;
const database = new SqliteDatabase(path, { timeout: 0 });

setInterval(() => {
  // Passive: it waits for nobody and nobody waits for it.
  if (walSize(path) >= fromBytes) database.pragma('wal_checkpoint(passive)');
}, interval);
