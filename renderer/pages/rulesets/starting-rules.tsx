// The starter rules, each added as a ruleset by a click. Knows nothing of what they look for.
import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { StartingRules } from '../../../server/contract/rules/starting-rules.ts';
import { useSaveRuleset, useStartingRules } from '../../api/ruleset-queries.ts';
import { QueryState } from '../../components/page/state-panel.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

export function StartingRulesDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.starting} size="lg">
      <p className={styles.note}>{words.startingNote}</p>
      <Offers />
    </Modal>
  );
}

/** The link takes the place of the button that was pressed, and its focus. */
const takeFocus = (link: HTMLAnchorElement | null) => link?.focus();

function Offers() {
  const offered = useStartingRules();
  const save = useSaveRuleset();
  // Pending until the list is fetched again, so that nothing is added twice.
  const adding = useMutation({
    mutationFn: async (wanted: readonly StartingRules[]) => {
      for (const { name, rules } of wanted) await save.mutateAsync({ name, rules });
    },
    onSettled: () => offered.refetch(),
  });
  if (!offered.isSuccess) return <QueryState query={offered} />;
  const missing = offered.data.filter(({ ruleset }) => ruleset === null);
  const lastAdded = adding.variables?.at(-1)?.name;
  return (
    <>
      <ul className={styles.offers}>
        {offered.data.map((offer) => (
          <li key={offer.name}>
            <div>
              <strong>{offer.name}</strong> <span className={styles.soft}>{words.rulesHeld(offer.rules_count)}</span>
              <p className={styles.note}>{offer.description}</p>
            </div>
            {offer.ruleset === null ? (
              <Button
                variant="default"
                aria-label={words.addNamed(offer.name)}
                disabled={adding.isPending}
                onClick={() => adding.mutate([offer])}
              >
                {words.add}
              </Button>
            ) : (
              <Button
                variant="subtle"
                component={Link}
                ref={offer.name === lastAdded ? takeFocus : null}
                to={`/rulesets/${offer.ruleset}`}
                aria-label={words.openNamed(offer.name)}
              >
                {words.open}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {missing.length > 1 && (
        <div className={styles.actions}>
          <Button loading={adding.isPending} onClick={() => adding.mutate(missing)}>
            {words.addAll}
          </Button>
        </div>
      )}
    </>
  );
}
