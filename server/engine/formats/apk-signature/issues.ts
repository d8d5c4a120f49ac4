// Errors and warnings of a verification, bounded. Knows no signature scheme.

/** One entry per file can be wrong in an archive of 100,000 files; the first ones prove it. */
const maxIssues = 100;

export interface Issue {
  /** Stable kebab-case name; where Android's apksig library has an issue of that meaning, its name. */
  code: string;
  message: string;
}

function add(list: Issue[], code: string, message: string): void {
  if (list.length < maxIssues) list.push({ code, message: message.slice(0, 400) });
}

export class Issues {
  readonly errors: Issue[] = [];
  readonly warnings: Issue[] = [];

  error(code: string, message: string): void {
    add(this.errors, code, message);
  }

  warning(code: string, message: string): void {
    add(this.warnings, code, message);
  }

  get hasErrors(): boolean {
    return this.errors.length > 0;
  }
}
