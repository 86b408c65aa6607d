import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Alert, Badge, SegmentedControl, Tabs, VisuallyHidden } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingRows } from '../../../parts/loading.tsx';
import { meansQuery } from '../queries.ts';
import classes from './builder.module.css';
import { ConnectDialog } from './connect-dialog.tsx';
import { Conflict } from './conflict.tsx';
import type { Look } from './canvas/look.ts';
import { type Builder, BuilderContext, useBuilder } from './context.ts';
import { Header } from './header.tsx';
import { Leave } from './leave.tsx';
import { Outline } from './outline.tsx';
import { Palette } from './palette.tsx';
import { useRun } from './run/use-run.ts';
import { Submit } from './submit.tsx';
import { type Checked, useChecking } from './use-checking.ts';
import { useEditing } from './use-editing.ts';
import { useKeys } from './use-keys.ts';
import { useNodeActs } from './use-node-acts.ts';
import { type Saving, useSaving } from './use-saving.ts';

const Canvas = lazy(async () => ({ default: (await import('./canvas/canvas.tsx')).Canvas }));
const NodePanel = lazy(async () => ({ default: (await import('./side/node-panel.tsx')).NodePanel }));
const RunPanel = lazy(async () => ({ default: (await import('./run/run-panel.tsx')).RunPanel }));
const ProblemList = lazy(async () => ({ default: (await import('./side/problem-list.tsx')).ProblemList }));

/** As in the style sheet. */
const ONE_PART = '(max-width: 61.99em)';

type View = 'left' | 'canvas' | 'side';
type SideTab = 'node' | 'run' | 'problems';

/** Where on the canvas and on which tabs the person is. */
function useWhere() {
  // Where there is room for one part alone, and nobody has chosen: the nodes as a list.
  const [view, setView] = useState<View>('left');
  const [left, setLeft] = useState<'add' | 'outline'>(() =>
    globalThis.matchMedia(ONE_PART).matches ? 'outline' : 'add',
  );
  const [tab, setTab] = useState<SideTab>('node');
  const [traced, setTraced] = useState<string | null>(null);
  const [connecting, setConnecting] = useState<string | null>(null);
  const [look, setLook] = useState<Look | null>(null);
  return { look, setLook, view, setView, left, setLeft, tab, setTab, traced, setTraced, connecting, setConnecting };
}

interface PartsProps {
  readonly agent: AgentDetails;
  readonly saving: Saving;
  readonly checked: Checked;
}

function Parts({ agent, saving, checked }: PartsProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition, problems, choose, edit } = useBuilder();
  const where = useWhere();
  const { setView, setTab, setTraced, setConnecting, tab } = where;
  const acts = useNodeActs();
  const run = useRun(agent.id, saving.flush);
  const runs = run.turns.at(-1)?.view.nodes ?? {};
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  useKeys({ onConnect: setConnecting, onSave: () => void saving.flush() });
  const spent = new Set(definition.nodes.some(({ kind }) => kind === 'input') ? (['input'] as const) : []);
  const open = (id: string) => {
    // While it is tried, a node tells what it did; else its fields are shown.
    if (tab === 'run' && runs[id] !== undefined) setTraced(id);
    else setTab('node');
    setView('side');
  };
  const openProblem = ({ node, field }: DefinitionProblem) => {
    setTab('node');
    setView('side');
    if (node === null) return choose([]);
    choose([node]);
    where.setLook((before) => ({ node, times: (before?.times ?? 0) + 1 }));
    // Once the form is there, to the first field that is wrong.
    if (field !== null)
      setTimeout(() => {
        document
          .querySelector<HTMLElement>('[data-region=side] :is(input, textarea)[aria-invalid=true]')
          ?.focus({ preventScroll: false });
      }, 50);
  };
  return (
    <div className={classes['frame']}>
      <Header
        agent={agent}
        saved={saving.state}
        onSave={() => void saving.flush()}
        onProblems={() => {
          setTab('problems');
          setView('side');
        }}
        onRun={() => {
          setTab('run');
          setView('side');
        }}
        submit={<Submit agent={agent} errors={errors} flush={saving.flush} />}
      />
      <div className={classes['notices']}>
        {saving.state.is === 'conflict' ? (
          <Conflict
            by={saving.state.by}
            onKeep={saving.keepMine}
            onTake={async () => {
              const draft = await saving.takeTheirs();
              edit(() => ({ definition: draft, select: [] }));
            }}
          />
        ) : null}
        {agent.state === 'archived' ? (
          <Alert variant="light" color="gray" radius={0} icon={<IconLock size={18} aria-hidden />}>
            {t('archived')}
          </Alert>
        ) : null}
      </div>
      <div className={classes['views']}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('views')}
          value={where.view}
          onChange={(value) => setView(value === 'left' || value === 'side' ? value : 'canvas')}
          data={(['left', 'canvas', 'side'] as const).map((value) => ({ value, label: t(`view_names.${value}`) }))}
        />
      </div>
      <div className={classes['parts']} data-view={where.view}>
        <div className={classes['left']} data-region="palette">
          <div className={classes['switch']}>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t('nodes')}
              value={where.left}
              onChange={(value) => where.setLeft(value === 'outline' ? 'outline' : 'add')}
              data={[
                { value: 'add', label: t('add_nodes') },
                { value: 'outline', label: t('outline') },
              ]}
            />
          </div>
          <div className={classes['scroll']}>
            {where.left === 'add' ? (
              <Palette spent={spent} onInsert={acts.insert} />
            ) : (
              <Outline runs={runs} onOpen={open} onConnect={setConnecting} />
            )}
          </div>
        </div>
        <Suspense fallback={<div data-region="canvas" />}>
          <Canvas runs={runs} look={where.look} onOpen={open} onDrop={acts.drop} />
        </Suspense>
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
                  <Badge size="xs" circle color={errors > 0 ? 'red' : 'orange'}>
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
              <NodePanel onConnect={setConnecting} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="run" className={classes['runPanel'] ?? ''}>
            <Suspense fallback={<LoadingRows />}>
              <RunPanel
                run={run}
                traced={where.traced}
                onTraced={setTraced}
                errors={errors}
                onProblems={() => setTab('problems')}
              />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="problems" className={classes['scroll'] ?? ''}>
            <Suspense fallback={<LoadingRows />}>
              <ProblemList sure={checked.sure} failure={checked.failure} onOpen={openProblem} />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      </div>
      <ConnectDialog from={where.connecting} onClose={() => setConnecting(null)} />
      <Leave saving={saving} />
    </div>
  );
}

/** The builder of one agent. */
export function Whole({ agent }: { readonly agent: AgentDetails }) {
  const editing = useEditing(agent.draft);
  const { definition } = editing;
  const saving = useSaving(agent, definition);
  const checked = useChecking(agent.id, definition);
  const { data: means } = useQuery(meansQuery);
  const [said, setSaid] = useState('');
  // The same words twice are said twice.
  const say = useCallback(
    (message: string) => setSaid((before) => (before === message ? `${message}\u00a0` : message)),
    [],
  );
  const { problems } = checked;
  const builder = useMemo<Builder>(
    () => ({ ...editing, agentId: agent.id, means: means ?? null, problems, say }),
    [editing, agent.id, means, problems, say],
  );
  return (
    <BuilderContext value={builder}>
      <Parts agent={agent} saving={saving} checked={checked} />
      <VisuallyHidden role="status" aria-live="polite">
        {said}
      </VisuallyHidden>
    </BuilderContext>
  );
}
