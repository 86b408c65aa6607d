// Nodes of OpenSearch with its k-NN plugin for tests, on loopback alone:
//   java -cp 'LIBRARIES/*:PLUGIN/*' Server.java FOLDER HTTP_PORT TRANSPORT_PORT NODES [NUMBER]
// All of them in this process, or the one with this number, counted from 1, of a cluster of NODES processes.
// It ends with SIGTERM, or when its standard input is closed, as that of a killed parent is.
import java.util.ArrayList;
import java.util.List;
import org.codelibs.opensearch.runner.OpenSearchRunner;

public class Server {
    public static void main(String[] args) throws Exception {
        String folder = args[0];
        int http = Integer.parseInt(args[1]);
        int transport = Integer.parseInt(args[2]);
        int nodes = Integer.parseInt(args[3]);
        int only = args.length > 4 ? Integer.parseInt(args[4]) : 0;
        List<String> seeds = new ArrayList<>();
        for (int node = 0; node < nodes; node++) seeds.add("127.0.0.1:" + (transport + node));
        String snapshots = java.nio.file.Path.of(folder).toAbsolutePath().resolveSibling("snapshots").toString();
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((built, settings) -> {
            int number = only > 0 ? only : built;
            settings.put("network.host", "127.0.0.1");
            settings.put("http.port", String.valueOf(http + number - 1));
            settings.put("transport.port", String.valueOf(transport + number - 1));
            if (nodes == 1) settings.put("discovery.type", "single-node");
            else {
                // The runner takes one node for a whole cluster.
                settings.put("discovery.type", "zen");
                settings.putList("discovery.seed_hosts", seeds);
                settings.putList("cluster.initial_cluster_manager_nodes", "Node 1");
            }
            if (only > 0) {
                settings.put("node.name", "Node " + number);
                // One that stands still is left out within seconds, not within half a minute.
                settings.put("cluster.fault_detection.follower_check.timeout", "2s");
                settings.put("cluster.fault_detection.leader_check.timeout", "2s");
                settings.put("cluster.info.update.interval", "10s");
            }
            settings.put("path.repo", snapshots);
            settings.putList("node.roles", "cluster_manager", "data", "ingest");
            settings.put("node.processors", "2");
            // A disk that is full for others is none of our business here.
            settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                runner.close();
            } catch (Exception error) {
                error.printStackTrace();
            }
        }));
        // The runner looks for free ports above the one that is named.
        List<String> options = List.of("-basePath", folder, "-numOfNode", String.valueOf(only > 0 ? 1 : nodes),
            "-baseHttpPort", String.valueOf(http + Math.max(only, 1) - 2), "-clusterName", "tests",
            "-pluginTypes", "org.opensearch.knn.plugin.KNNPlugin");
        runner.build(options.toArray(String[]::new));
        while (System.in.read() >= 0) continue;
        System.exit(0);
    }
}
