@problemName small
@timeStamps false
@univariate false
@dimensions 2
@equalLength false
@classLabel true down up
@data
1,2,3:0,1,1:up
3,2:1,0:down
1,2,2,4:0,0,1,1:up
5,3,1:1,1,0:down
