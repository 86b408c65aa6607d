import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHierarchy2, IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useReactFlow } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { useNodeActions } from '../use-node-actions.ts';
import { useMoveTime } from './use-move-time.ts';
import classes from './canvas.module.css';

/** Looks at the canvas from nearer or farther, and puts the nodes in order. */
export function CanvasTools() {
  const { t } = useTranslation('agentBuilder');
  const actions = useNodeActions();
  const flow = useReactFlow();
  const duration = useMoveTime();
  const fit = () => void flow.fitView({ maxZoom: 1, padding: 0.08, duration });
  const tools = [
    { name: t('zoom_in'), icon: IconZoomIn, act: () => void flow.zoomIn({ duration }) },
    { name: t('zoom_out'), icon: IconZoomOut, act: () => void flow.zoomOut({ duration }) },
    { name: t('fit'), icon: IconMaximize, act: fit },
    { name: t('arrange'), icon: IconHierarchy2, act: actions.arrange },
  ];
  return (
    <div className={classes['tools']} role="toolbar" aria-label={t('canvas_tools')}>
      {tools.map(({ name, icon: Picture, act }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={act}>
            <Picture size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
