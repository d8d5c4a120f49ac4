// The rules that the workstation brings along for analysts who have none yet. Knows nothing of how rules are run.
import { readFileSync } from 'node:fs';

interface RuleFile {
  name: string;
  description: string;
  rulesCount: number;
  rules: string;
}

function ruleFile(file: string, name: string, description: string): RuleFile {
  const rules = readFileSync(new URL(`../../../resources/rules/${file}.yar`, import.meta.url), 'utf8');
  return { name, description, rulesCount: rules.match(/^(?:private )?rule /gm)?.length ?? 0, rules };
}

let files: readonly RuleFile[] | null = null;

/** One ruleset for each file under `resources/rules`, read when they are first asked for. */
export function startingRules(): readonly RuleFile[] {
  files ??= [
    ruleFile('behaviour', 'Behaviour worth a look', 'Several signs at once in what the reports say of an app'),
    ruleFile('code', 'Code and native libraries', "What an app's own files hold, each looked at by itself"),
    ruleFile('packers', 'Packers and protectors', 'The files that packers and protectors leave in an APK'),
    ruleFile('trackers', 'Trackers', 'Kits that watch what people do with an app, by their classes'),
  ];
  return files;
}
