import { Badge, Tabs } from '@mantine/core';
import { Suspense, lazy } from 'react';
import { useTranslation } from 'react-i18next';
import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { LoadingRows } from '../../../../parts/loading.tsx';
import classes from '../builder.module.css';
import { useBuilder } from '../context.ts';
import type { Run } from '../run/use-run.ts';
import type { Validation } from '../use-validation.ts';
import type { BuilderUi } from '../use-builder-ui.ts';

const NodePanel = lazy(async () => ({ default: (await import('./node-panel.tsx')).NodePanel }));
const RunPanel = lazy(async () => ({ default: (await import('../run/run-panel.tsx')).RunPanel }));
const ProblemList = lazy(async () => ({ default: (await import('./problem-list.tsx')).ProblemList }));

interface SideProps {
  readonly ui: BuilderUi;
  readonly run: Run;
  readonly validation: Validation;
  readonly errors: number;
  readonly onProblem: (problem: DefinitionProblem) => void;
}

/** Beside the canvas: the fields of a node, the trial, and what is wrong. */
export function Side({ ui, run, validation, errors, onProblem }: SideProps) {
  const { t } = useTranslation('agentBuilder');
  const { problems, choose } = useBuilder();
  const { tab, setTab, traced, setTraced, naming, setNaming } = ui;
  return (
    <Tabs
      className={classes['side'] ?? ''}
      data-region="side"
      value={tab}
      keepMounted={false}
      onChange={(value) => setTab(value === 'run' || value === 'problems' ? value : 'node')}
    >
      <Tabs.List aria-label={t('side')} grow>
        <Tabs.Tab value="node">{t('tabs.node')}</Tabs.Tab>
        <Tabs.Tab value="run">{t('tabs.run')}</Tabs.Tab>
        <Tabs.Tab
          value="problems"
          rightSection={
            problems.length === 0 ? null : (
              <Badge size="xs" circle={problems.length < 10} color={errors > 0 ? 'red' : 'orange'}>
                {problems.length}
              </Badge>
            )
          }
        >
          {t('tabs.problems')}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="node" className={classes['scroll'] ?? ''}>
        <Suspense fallback={<LoadingRows />}>
          <NodePanel naming={naming} onNamed={() => setNaming(null)} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="run" className={classes['runPanel'] ?? ''}>
        <Suspense fallback={<LoadingRows />}>
          <RunPanel
            run={run}
            traced={traced}
            onTraced={setTraced}
            errors={errors}
            onProblems={() => setTab('problems')}
            onSettings={(id) => {
              choose([id]);
              setTab('node');
              ui.openers.viewRequest([id]);
            }}
          />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="problems" className={classes['scroll'] ?? ''}>
        <Suspense fallback={<LoadingRows />}>
          <ProblemList verified={validation.verified} failure={validation.failure} onOpen={onProblem} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}
