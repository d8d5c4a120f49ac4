// Where work that nobody waits for tells what failed. Knows no logger.

export interface ErrorLog {
  error(details: object, message: string): void;
}
