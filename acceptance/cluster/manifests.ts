import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { FORMER_TAG, TAG, type Prepared } from './run.mjs';
import { render } from '../../k8s/verify/kubectl.mjs';
import { root } from '../../tools/workspace.mjs';

/* eslint-disable @typescript-eslint/no-explicit-any -- manifests are read as they are; k8s/verify holds them to their shape */
/* oxlint-disable typescript/no-unsafe-member-access, typescript/no-unsafe-return -- manifests have no types here */

export const AREAS = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api', 'gateway'] as const;
export type Area = (typeof AREAS)[number];
/** Node of PostgreSQL, Redis and the cluster's own pods. It is never drained, because no second pod of their kinds exists. */
export const STABLE_NODE = 'node-1';

/** Returns the name of a release's migrate Job. */
export const migrateJob = (tag: string) => `migrate-${tag.replaceAll('.', '-')}`;

/**
 * Makes functions that render overlays of the development environment, which has PostgreSQL and Redis in the cluster. The rendered objects are
 * changed for the drill: at least two pods of each service, rate limits that the drill's load does not reach, and images of one release.
 */
export function createManifests({ kubectl, former, folder }: Prepared) {
  function forDrill(objects: any[], tag: string): any[] {
    const tagged = JSON.parse(
      JSON.stringify(objects).replaceAll(/(millwright\/[a-z-]+):[\w.-]+/g, `$1:${tag}`),
    ) as any[];
    for (const object of tagged) {
      if (object.kind === 'HorizontalPodAutoscaler') Object.assign(object.spec, { minReplicas: 2, maxReplicas: 3 });
      if (object.kind === 'ConfigMap' && object.data?.DATABASE_POOL_MAX) object.data.RATE_LIMIT_MULTIPLIER = '100000';
      if (object.kind === 'StatefulSet')
        object.spec.template.spec.nodeSelector = { 'kubernetes.io/hostname': STABLE_NODE };
      if (object.kind === 'Job' && tag !== TAG) {
        object.metadata.name = migrateJob(tag);
        object.metadata.labels['millwright/release'] = tag.replaceAll('.', '-');
      }
    }
    return tagged;
  }
  const rendered = (checkout: string, path: string) => render(kubectl, join(checkout, 'k8s', path));
  return {
    of: (path: string) => forDrill(rendered(root, path), TAG),
    former: (path: string) => forDrill(rendered(former, path), FORMER_TAG),
    /** Renders an overlay with a component added. */
    with(path: string, component: string) {
      const own = join(folder, 'overlays', component);
      mkdirSync(own, { recursive: true });
      const to = (target: string) => relative(own, join(root, 'k8s', target));
      const text = JSON.stringify({
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        resources: [to(path)],
        components: [to(`components/${component}`)],
      });
      writeFileSync(join(own, 'kustomization.yaml'), text);
      return forDrill(render(kubectl, own), TAG);
    },
  };
}
export type Manifests = ReturnType<typeof createManifests>;
