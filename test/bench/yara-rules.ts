// Writes rules like those of public collections in kind and number of strings, for measuring. Knows nothing of engines.
import { randomNumbers } from '../differential/rule-generator.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz._/ABCDEFGH0123';

/** Rules that every YARA takes, none of which is likely to match; always the same ones. */
export function typicalRules(count: number): string[] {
  const random = randomNumbers(7);
  const word = () => Array.from({ length: 5 + random(14) }, () => letters[random(letters.length)]).join('');
  const escaped = () => word().replace(/[./]/g, '\\$&');
  const string = () => {
    const kind = random(10);
    if (kind < 6) return `"${word()}"${['', '', ' wide ascii', ' nocase', ' fullword'][random(5)]}`;
    if (kind < 8) {
      const bytes = Array.from({ length: 8 + random(14) }, (_, index) =>
        index > 3 && random(8) === 0 ? '??' : random(256).toString(16).padStart(2, '0'),
      );
      return `{ ${bytes.join(' ')} }`;
    }
    return `/${escaped()}[a-z0-9]{2,${4 + random(8)}}\\.${escaped()}/`;
  };
  return Array.from({ length: count }, (_, index) => {
    const strings = Array.from({ length: 2 + random(8) }, (_, place) => `    $s${place} = ${string()}`);
    const condition = [
      'any of them',
      'all of them',
      '2 of them',
      `filesize < ${1 + random(9)}MB and 2 of them`,
      'uint16(0) == 0x5a4d and any of them',
      'any of ($s0, $s1) or 2 of ($s*)',
    ][random(6)]!;
    return `rule rule_${index} : bench\n{\n  meta:\n    description = "${word()}"\n  strings:\n${strings.join('\n')}\n  condition:\n    ${condition}\n}\n`;
  });
}

/** Rulesets of one rule each, two thirds of which ask the static report too. */
export function typicalRulesets(count: number): { id: string; rules: string }[] {
  const random = randomNumbers(11);
  const calls = [
    () => '',
    () =>
      ` and not androguard.certificate.sha1("${random(2 ** 31)
        .toString(16)
        .padStart(40, '0')}")`,
    () => ` or (androguard.permission(/SEND_SMS/) and androguard.url(/host${random(999)}\\.example/))`,
    () => ` or androguard.package_name("example.app${random(9999)}") or androguard.activity(/Main${random(9999)}/i)`,
  ];
  return typicalRules(count).map((rule, index) => {
    const call = calls[index % 3 === 0 ? 0 : 1 + random(3)]!();
    return { id: String(index), rules: `import "androguard"\n${rule.replace(/\n}\n$/, `${call}\n}\n`)}` };
  });
}
