import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { RecordPage } from '../../ui/record-page.js';
import { Passage } from '../content/passage.js';
import { passageResource } from '../content/passage-resource.js';

/** The page to which a citation in an answer links. It shows the cited text. */
function PassagePage() {
  const { id = '' } = useParams();
  const passage = useQuery(passageResource(id));
  return (
    <div>
      <RecordPage back={{ to: '/', label: 'Chat' }} title="Source" query={passage}>
        {(found) => <Passage passage={found} />}
      </RecordPage>
    </div>
  );
}

export { PassagePage as Component };
