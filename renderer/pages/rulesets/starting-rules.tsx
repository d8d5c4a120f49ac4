// The rules that the workstation brings along, each made into a ruleset by a click. Knows nothing of what they look for.
import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router';
import { useSaveRuleset, useStartingRules } from '../../api/ruleset-queries.ts';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { tellError } from '../../components/tell-error.ts';
import { texts } from '../../texts.ts';
import styles from './rulesets.module.css';

const words = texts.rulesets;

export function StartingRulesDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.starting} size="lg">
      <p className={styles.note}>{words.startingNote}</p>
      <Offers />
    </Modal>
  );
}

function Offers() {
  const offered = useStartingRules();
  const save = useSaveRuleset();
  if (offered.isPending) return <LoadingPanel />;
  if (offered.isError) return <ErrorPanel error={offered.error} onRetry={() => void offered.refetch()} />;
  const missing = offered.data.filter(({ ruleset }) => ruleset === null);
  const add = async (names: readonly string[]) => {
    for (const { name, rules } of missing) {
      if (names.includes(name)) await save.mutateAsync({ name, rules });
    }
  };
  return (
    <>
      <ul className={styles.offers}>
        {offered.data.map(({ name, description, rules_count, ruleset }) => (
          <li key={name}>
            <div>
              <strong>{name}</strong> <span className={styles.soft}>{words.rulesHeld(rules_count)}</span>
              <p className={styles.note}>{description}</p>
            </div>
            {ruleset === null ? (
              <Button
                variant="default"
                aria-label={words.addNamed(name)}
                disabled={save.isPending}
                onClick={() => void add([name]).catch(tellError)}
              >
                {words.add}
              </Button>
            ) : (
              <Button variant="subtle" component={Link} to={`/rulesets/${ruleset}`} aria-label={words.openNamed(name)}>
                {words.open}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {missing.length > 1 && (
        <div className={styles.actions}>
          <Button
            data-autofocus
            loading={save.isPending}
            onClick={() => void add(missing.map(({ name }) => name)).catch(tellError)}
          >
            {words.addAll}
          </Button>
        </div>
      )}
    </>
  );
}
