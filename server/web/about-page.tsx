import { renderDocument, typesetFrench } from "./document.tsx";

export interface AboutPageOptions {
  /** The address of this server, as its visitors know it, where the operator gave one. */
  publicUrl: string | undefined;
  /** The User-Agent of every request that a check sends. */
  userAgent: string;
}

/** The page that the User-Agent names: what the requests are, for the owners of sites who find them in their logs. */
export function renderAboutPage({ publicUrl, userAgent }: AboutPageOptions): string {
  const rulesUrl = publicUrl === undefined ? "/docs/rules" : new URL("/docs/rules", publicUrl).href;
  return renderDocument({
    language: "fr",
    title: "shipscore",
    children: (
      <>
        <h1>shipscore</h1>
        <p>
          {typesetFrench(
            "Vous avez trouvé cette adresse dans le journal de votre serveur : quelqu'un a demandé à shipscore si l'une de vos pages est prête à sortir.",
          )}
        </p>
        <pre>
          <code>{userAgent}</code>
        </pre>
        <h2>Ce que fait une vérification</h2>
        <ul>
          <li>
            Elle envoie au plus 30 requêtes en 8 secondes, des GET et des HEAD, et quelques
            négociations TLS, puis ferme ses connexions.
          </li>
          <li>
            Un même hôte n'en reçoit jamais plus de 8 à la fois, ni plus de 240 par minute, quel que
            soit le nombre de demandeurs.
          </li>
          <li>
            Elle lit la page, robots.txt, le plan du site, un chemin au hasard (pour voir si votre
            404 en est une), et quelques fichiers et liens de la page.
          </li>
          <li>
            Elle n'exécute aucun script, ne remplit aucun formulaire et ne cherche aucune faille.
          </li>
          <li>Elle ne garde ni valeur de cookie, ni valeur de paramètre d'adresse.</li>
        </ul>
        <h2>Laisser passer, ou refuser</h2>
        <p>
          {typesetFrench(
            "Pour laisser passer ou refuser ces requêtes, filtrez le mot shipscore dans le User-Agent. Un refus (403 ou 429) n'est pas compté comme une panne : le verdict est alors non concluant.",
          )}
        </p>
        <p>
          Ce que mesure chaque règle est écrit dans <a href={rulesUrl}>les règles du Ship Score</a>.
        </p>
        <section lang="en">
          <h2>In English</h2>
          <p>
            You found this address in your server's log: someone asked shipscore whether one of your
            pages is fit to ship. A check sends at most 30 requests within 8 seconds (GET, HEAD and
            a few TLS handshakes), runs no script, fills in no form and looks for no flaw. It reads
            the page, robots.txt, the sitemap, one random path and a few of the page's files and
            links, and keeps no value of a cookie or query parameter. One host never gets more than
            8 checks at once or 240 a minute, whoever asks for them.
          </p>
          <p>
            To let these requests through or refuse them, filter on the word shipscore in the
            User-Agent. A refusal (403 or 429) does not count as an outage: the verdict is then
            inconclusive. What each rule measures is written in{" "}
            <a href={rulesUrl}>the rules of the Ship Score</a>.
          </p>
        </section>
      </>
    ),
  });
}
