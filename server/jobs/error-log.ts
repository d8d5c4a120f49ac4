// Where work that nobody waits for reports what failed. Knows no logger.

export interface ErrorLog {
  error(details: object, message: string): void;
}
