// The catalogue's tables as kysely sees them. Column names are SQL's; `table-record.ts` makes records of them.
import type { AnalysesTables } from './analyses.ts';
import type { CasesTables } from './cases.ts';
import type { CatalogueTables } from './catalogue.ts';
import type { FamiliesTables } from './families.ts';
import type { PeopleTables } from './people.ts';
import type { RulesTables } from './rules.ts';
import type { TriageTables } from './triage.ts';
import type { WorkstationTables } from './workstation.ts';

/**
 * Conventions: times are integer microseconds since 1970 UTC; hashes are blobs; booleans are 0 and 1; JSON is text.
 * Every id counts up and is never given twice, since ids leave the workstation in links.
 */
export interface Database
  extends AnalysesTables,
    CasesTables,
    CatalogueTables,
    FamiliesTables,
    PeopleTables,
    RulesTables,
    TriageTables,
    WorkstationTables {}
